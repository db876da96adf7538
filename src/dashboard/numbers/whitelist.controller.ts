import { Get, Param, Post, Res } from '@nestjs/common';
import { type Response } from 'express';
import { type PageElement } from '../../http/html-page.js';
import { Done, Form, pageAround, type PageRequest, type RefusedPage, RequestedPage } from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { WhitelistPageService } from './whitelist-page.service.js';

type Sent = ReadonlyMap<string, string>;

/** The whitelist of a team, which is the operator's, as by the API. */
@TeamPages('whitelist')
export class WhitelistPagesController {
  constructor(private readonly whitelist: WhitelistPageService) {}

  @Get()
  @Needs('teams')
  list(
    @Param('teamId') teamId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement | RefusedPage> {
    return this.whitelist.page(request, teamId);
  }

  @Post()
  @Needs('teams')
  async add(
    @Param('teamId') teamId: string,
    @Form() form: Sent,
    @RequestedPage() request: PageRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageElement | Done> {
    const typed = form.get('phoneNumbers') ?? '';
    const refused = await this.whitelist.add(pageAround(form, request), teamId, typed);
    if (refused === null) return new Done(form, 'whitelisted');
    response.status(refused.status);
    return refused.page;
  }

  @Post('remove')
  @Needs('teams')
  async remove(@Param('teamId') teamId: string, @Form() form: Sent): Promise<Done> {
    await this.whitelist.remove(teamId, form.get('phoneNumber') ?? '');
    return new Done(form, 'unwhitelisted', `/t/${teamId}/whitelist`);
  }
}
