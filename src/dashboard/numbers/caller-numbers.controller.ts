import { Get, Param, Post } from '@nestjs/common';
import { type PageElement } from '../../http/html-page.js';
import { Done, Form, type PageRequest, type RefusedPage, RequestedPage } from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { Sent, type SentFields } from '../frame/sent-fields.js';
import { CallerNumbersPageService } from './caller-numbers-page.service.js';

type Fields = ReadonlyMap<string, string>;

/** Changes of the numbers that a team calls from, and its pools. Their list is `NumberPagesController`'s. */
@TeamPages('numbers')
export class CallerNumberPagesController {
  constructor(private readonly numbers: CallerNumbersPageService) {}

  @Post()
  @Needs('numbers.change')
  async add(
    @Param('teamId') teamId: string,
    @RequestedPage() request: PageRequest,
    @Form() form: Fields,
  ): Promise<RefusedPage | Done> {
    const page = { ...request, self: `/t/${teamId}/numbers` };
    const refused = await this.numbers.add(page, teamId, form.get('phoneNumber') ?? '');
    return refused ?? new Done(form, 'numberadded', page.self);
  }

  @Get('pools/new')
  @Needs('pools.change')
  newPool(@Param('teamId') teamId: string, @RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.numbers.newPool(request, teamId);
  }

  @Post('pools')
  @Needs('pools.change')
  async createPool(
    @Param('teamId') teamId: string,
    @RequestedPage() request: PageRequest,
    @Sent() sent: SentFields,
    @Form() form: Fields,
  ): Promise<RefusedPage | Done> {
    const list = `/t/${teamId}/numbers`;
    const page = { ...request, self: `${list}/pools/new` };
    return (await this.numbers.createPool(page, teamId, sent)) ?? new Done(form, 'poolcreated', list);
  }

  @Get('pools/:poolId')
  @Needs('pools.change')
  pool(
    @Param('teamId') teamId: string,
    @Param('poolId') id: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.numbers.pool(request, teamId, id);
  }

  @Post('pools/:poolId')
  @Needs('pools.change')
  async savePool(
    @Param('teamId') teamId: string,
    @Param('poolId') id: string,
    @RequestedPage() request: PageRequest,
    @Sent() sent: SentFields,
    @Form() form: Fields,
  ): Promise<RefusedPage | Done> {
    const list = `/t/${teamId}/numbers`;
    const page = { ...request, self: `${list}/pools/${id}` };
    return (await this.numbers.savePool(page, teamId, id, sent)) ?? new Done(form, 'poolsaved', list);
  }

  @Post(':numberId')
  @Needs('numbers.change')
  async change(
    @Param('teamId') teamId: string,
    @Param('numberId') id: string,
    @Sent() sent: SentFields,
    @Form() form: Fields,
  ): Promise<Done> {
    await this.numbers.change(teamId, id, sent);
    return new Done(form, 'numberchanged', `/t/${teamId}/numbers`);
  }
}
