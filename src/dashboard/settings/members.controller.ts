import { Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { type Request } from 'express';
import { type PageElement } from '../../http/html-page.js';
import { originOf } from '../../http/own-origin.js';
import { Done, Form, type PageRequest, RequestedPage, type RefusedPage } from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { MembersPageService } from './members-page.service.js';

type Sent = ReadonlyMap<string, string>;

@TeamPages('settings/members')
export class MemberPagesController {
  constructor(private readonly members: MembersPageService) {}

  @Get()
  @Needs('members')
  page(@Param('teamId') teamId: string, @RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.members.page(request, teamId);
  }

  /** The answer shows the link, so it is a page and no redirect. */
  @Post()
  @HttpCode(200)
  @Needs('members')
  invite(
    @Param('teamId') teamId: string,
    @RequestedPage() requested: PageRequest,
    @Form() form: Sent,
    @Req() request: Request,
  ): Promise<PageElement | RefusedPage> {
    const typed = { email: form.get('email') ?? '', role: form.get('role') ?? '' };
    return this.members.invite(requested, teamId, typed, originOf(request));
  }

  @Post(':userId/role')
  @Needs('members')
  async setRole(
    @Param('teamId') teamId: string,
    @Param('userId') userId: string,
    @Form() form: Sent,
  ): Promise<Done> {
    await this.members.setRole(teamId, userId, form.get('role') ?? '');
    return new Done(form, 'rolechanged');
  }

  @Post(':userId/remove')
  @Needs('members')
  async remove(
    @Param('teamId') teamId: string,
    @Param('userId') userId: string,
    @Form() form: Sent,
  ): Promise<Done> {
    await this.members.remove(teamId, userId);
    return new Done(form, 'memberremoved');
  }
}
