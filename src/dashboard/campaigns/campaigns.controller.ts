import { Get, Param, Post, Res } from '@nestjs/common';
import { type Response } from 'express';
import { RESULT_COLUMNS } from '../../campaigns/results/campaign-results.service.js';
import { sendExport } from '../../http/export.js';
import { type PageElement } from '../../http/html-page.js';
import { CampaignPageService } from './campaign-page.service.js';
import { RequestedPage, Done, Form, type PageRequest, type RefusedPage } from '../frame/form.js';
import { MigrationPageService } from './migration-page.service.js';
import { TeamAndPlatformPages, TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';

type Sent = ReadonlyMap<string, string>;

/** The lists of campaigns. On the platform's pages, the team is chosen first. */
@TeamAndPlatformPages('campaigns')
export class CampaignListPagesController {
  constructor(private readonly campaigns: CampaignPageService) {}

  @Get()
  @Needs('read')
  list(@RequestedPage() request: PageRequest): Promise<PageElement | RefusedPage> {
    return this.campaigns.list(request);
  }
}

@TeamPages('campaigns')
export class CampaignPagesController {
  constructor(
    private readonly campaigns: CampaignPageService,
    private readonly migrations: MigrationPageService,
  ) {}

  @Get(':campaignId')
  @Needs('read')
  page(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.campaigns.page(request, teamId, campaignId);
  }

  @Get(':campaignId/results')
  @Needs('read')
  async results(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Res() response: Response,
  ): Promise<void> {
    const { chosen, page } = await this.campaigns.results(teamId, campaignId);
    // Spreadsheets know by the byte order mark that the file is in UTF-8.
    const file = { format: 'csv', bom: true, name: 'results', columns: RESULT_COLUMNS, chosen } as const;
    await sendExport(response, file, page);
  }

  @Post(':campaignId/pause')
  @Needs('campaigns.change')
  async pause(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Form() form: Sent,
  ): Promise<Done> {
    await this.campaigns.setStatus(teamId, campaignId, 'paused');
    return new Done(form, 'campaignpaused');
  }

  @Post(':campaignId/resume')
  @Needs('campaigns.change')
  async resume(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Form() form: Sent,
  ): Promise<Done> {
    await this.campaigns.setStatus(teamId, campaignId, 'active');
    return new Done(form, 'campaignresumed');
  }

  @Post(':campaignId/archive')
  @Needs('campaigns.change')
  async archive(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Form() form: Sent,
  ): Promise<Done> {
    await this.campaigns.setStatus(teamId, campaignId, 'archived');
    return new Done(form, 'campaignarchived');
  }

  @Get(':campaignId/migrate')
  @Needs('campaigns.change')
  migration(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.migrations.page(request, teamId, campaignId);
  }

  @Post(':campaignId/versions/:versionId/migrate')
  @Needs('campaigns.change')
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
