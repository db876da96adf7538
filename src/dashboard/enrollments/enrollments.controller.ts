import { Get, Param, Post } from '@nestjs/common';
import { type PageElement } from '../../http/html-page.js';
import { EnrollmentPageService } from './enrollment-page.service.js';
import { RequestedPage, Done, Form, type PageRequest, type RefusedPage } from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';

type Sent = ReadonlyMap<string, string>;

@TeamPages('campaigns/:campaignId/enrollments')
export class EnrollmentPagesController {
  constructor(private readonly enrollments: EnrollmentPageService) {}

  @Get()
  @Needs('read')
  list(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement | RefusedPage> {
    return this.enrollments.list(request, teamId, campaignId);
  }

  @Get(':enrollmentId')
  @Needs('read')
  page(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('enrollmentId') id: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.enrollments.page(request, teamId, campaignId, id);
  }

  @Post(':enrollmentId/pause')
  @Needs('campaigns.change')
  async pause(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('enrollmentId') id: string,
    @Form() form: Sent,
  ): Promise<Done> {
    await this.enrollments.move(teamId, campaignId, id, 'paused');
    return new Done(form, 'enrollmentpaused');
  }

  @Post(':enrollmentId/resume')
  @Needs('campaigns.change')
  async resume(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('enrollmentId') id: string,
    @Form() form: Sent,
  ): Promise<Done> {
    await this.enrollments.move(teamId, campaignId, id, 'active');
    return new Done(form, 'enrollmentresumed');
  }

  @Post(':enrollmentId/exit')
  @Needs('campaigns.change')
  async exit(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('enrollmentId') id: string,
    @Form() form: Sent,
  ): Promise<Done> {
    await this.enrollments.move(teamId, campaignId, id, 'exited');
    return new Done(form, 'enrollmentended');
  }
}
