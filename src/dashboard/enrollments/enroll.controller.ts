import { Get, HttpCode, Param, Post } from '@nestjs/common';
import { type PageElement } from '../../http/html-page.js';
import { Form, type PageRequest, type RefusedPage, RequestedPage } from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { EnrollPageService } from './enroll-page.service.js';
import { LIST } from './enroll.view.js';

@TeamPages('campaigns/:campaignId/enroll')
export class EnrollPagesController {
  constructor(private readonly enrolling: EnrollPageService) {}

  @Get()
  @Needs('campaigns.change')
  form(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.enrolling.page(request, teamId, campaignId);
  }

  /** The answer tells of each line, so it is a page. Sent again, it enrolls no contact twice. */
  @Post()
  @HttpCode(200)
  @Needs('campaigns.change')
  enroll(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @RequestedPage() request: PageRequest,
    @Form() form: ReadonlyMap<string, string>,
  ): Promise<PageElement | RefusedPage> {
    return this.enrolling.enroll(request, teamId, campaignId, form.get(LIST) ?? '');
  }
}
