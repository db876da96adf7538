import { Get, Param, Post } from '@nestjs/common';
import { type PageElement } from '../../http/html-page.js';
import { Done, Form, type PageRequest, RefusedPage, RequestedPage } from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { CampaignSettingsPageService } from './settings-page.service.js';

type Sent = ReadonlyMap<string, string>;

/** Creates campaigns and changes their settings. `new` must not be read as the id of a campaign. */
@TeamPages('campaigns')
export class CampaignSettingsController {
  constructor(private readonly settings: CampaignSettingsPageService) {}

  @Get('new')
  @Needs('campaigns.change')
  newPage(@RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.settings.newPage(request);
  }

  @Post('new')
  @Needs('campaigns.change')
  async create(
    @Param('teamId') teamId: string,
    @RequestedPage() request: PageRequest,
    @Form() form: Sent,
  ): Promise<Done | RefusedPage> {
    const made = await this.settings.create(request, teamId, form);
    return made instanceof RefusedPage
      ? made
      : new Done(form, 'campaigncreated', `/t/${teamId}/campaigns/${made}/versions/new`);
  }

  @Get(':campaignId/edit')
  @Needs('campaigns.change')
  page(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.settings.page(request, teamId, campaignId);
  }

  @Post(':campaignId/edit')
  @Needs('campaigns.change')
  async save(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @RequestedPage() request: PageRequest,
    @Form() form: Sent,
  ): Promise<Done | RefusedPage> {
    const refused = await this.settings.save(request, teamId, campaignId, form);
    return refused ?? new Done(form, 'campaignsaved', `/t/${teamId}/campaigns/${campaignId}`);
  }
}
