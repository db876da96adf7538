import { Get, Param, Post, Res } from '@nestjs/common';
import { type Response } from 'express';
import { DoNotCallPageService } from './do-not-call-page.service.js';
import { RequestedPage, Done, Form, pageAround, type PageRequest, type RefusedPage } from './form.js';
import { type PageElement } from '../../http/html-page.js';
import { NumberPageService } from './number-page.service.js';
import { OperationsPage } from './operations-page.decorator.js';

type Sent = ReadonlyMap<string, string>;

@OperationsPage()
export class NumberPagesController {
  constructor(
    private readonly numbers: NumberPageService,
    private readonly doNotCall: DoNotCallPageService,
  ) {}

  @Get('numbers')
  number(@RequestedPage() request: PageRequest): Promise<PageElement | RefusedPage> {
    return this.numbers.page(request);
  }

  @Get('do-not-call')
  list(@RequestedPage() request: PageRequest): Promise<PageElement | RefusedPage> {
    return this.doNotCall.page(request);
  }

  @Post('teams/:teamId/do-not-call')
  async add(
    @Param('teamId') teamId: string,
    @Form() form: Sent,
    @RequestedPage() { formToken }: PageRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageElement | Done> {
    const sent = { numbers: form.get('phoneNumbers') ?? '', reason: form.get('reason') ?? '' };
    const refused = await this.doNotCall.add(teamId, sent, pageAround(form, formToken));
    if (refused === null) return new Done(form, 'added');
    response.status(refused.status);
    return refused.page;
  }

  @Post('teams/:teamId/do-not-call/remove')
  async remove(@Param('teamId') teamId: string, @Form() form: Sent): Promise<Done> {
    await this.doNotCall.remove(teamId, form.get('phoneNumber') ?? '');
    return new Done(form, 'removed');
  }
}
