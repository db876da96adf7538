import { Get, Param, Post } from '@nestjs/common';
import { type PageElement } from '../../http/html-page.js';
import { CampaignPageService } from './campaign-page.service.js';
import { RequestedPage, Done, Form, type PageRequest, type RefusedPage } from './form.js';
import { MigrationPageService } from './migration-page.service.js';
import { OperationsPage } from './operations-page.decorator.js';

type Sent = ReadonlyMap<string, string>;

@OperationsPage()
export class CampaignPagesController {
  constructor(
    private readonly campaigns: CampaignPageService,
    private readonly migrations: MigrationPageService,
  ) {}

  @Get('campaigns')
  list(@RequestedPage() request: PageRequest): Promise<PageElement | RefusedPage> {
    return this.campaigns.list(request);
  }

  @Get('teams/:teamId/campaigns/:campaignId')
  page(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.campaigns.page(request, teamId, campaignId);
  }

  @Post('teams/:teamId/campaigns/:campaignId/pause')
  async pause(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Form() form: Sent,
  ): Promise<Done> {
    await this.campaigns.setStatus(teamId, campaignId, 'paused');
    return new Done(form, 'campaignpaused');
  }

  @Post('teams/:teamId/campaigns/:campaignId/resume')
  async resume(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Form() form: Sent,
  ): Promise<Done> {
    await this.campaigns.setStatus(teamId, campaignId, 'active');
    return new Done(form, 'campaignresumed');
  }

  @Post('teams/:teamId/campaigns/:campaignId/archive')
  async archive(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Form() form: Sent,
  ): Promise<Done> {
    await this.campaigns.setStatus(teamId, campaignId, 'archived');
    return new Done(form, 'campaignarchived');
  }

  @Get('teams/:teamId/campaigns/:campaignId/migrate')
  migration(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.migrations.page(request, teamId, campaignId);
  }

  @Post('teams/:teamId/campaigns/:campaignId/versions/:versionId/migrate')
  async migrate(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('versionId') to: string,
    @Form() form: Sent,
  ): Promise<Done> {
    await this.migrations.migrate(teamId, campaignId, form.get('from') ?? '', to);
    return new Done(form, 'campaignmigrating');
  }
}
