import { Get, Param, Patch, Post } from '@nestjs/common';
import { JsonBody } from '../../http/json-body.decorator.js';
import { OperatorController } from '../../http/operator-controller.decorator.js';
import { PageOf } from '../../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../../http/page.js';
import {
  type CampaignResource,
  type ChangedCampaignResource,
  CreateCampaign,
  UpdateCampaign,
} from './campaign.dto.js';
import { CampaignsService } from './campaigns.service.js';
import { type CampaignStatsResource } from './campaign-stats.dto.js';
import { CampaignStatsService } from './campaign-stats.service.js';

@OperatorController('teams/:teamId/campaigns')
export class CampaignsAdminController {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly stats: CampaignStatsService,
  ) {}

  @Get()
  list(@Param('teamId') teamId: string, @PageOf() page: PageRequest): Promise<Page<CampaignResource>> {
    return this.campaigns.list(teamId, page);
  }

  @Post()
  create(
    @Param('teamId') teamId: string,
    @JsonBody(CreateCampaign) fields: CreateCampaign,
  ): Promise<ChangedCampaignResource> {
    return this.campaigns.create(teamId, fields);
  }

  @Get(':id')
  get(@Param('teamId') teamId: string, @Param('id') id: string): Promise<CampaignResource> {
    return this.campaigns.get(teamId, id);
  }

  @Patch(':id')
  update(
    @Param('teamId') teamId: string,
    @Param('id') id: string,
    @JsonBody(UpdateCampaign) fields: UpdateCampaign,
  ): Promise<ChangedCampaignResource> {
    return this.campaigns.update(teamId, id, fields);
  }

  @Post(':id/archive')
  archive(@Param('teamId') teamId: string, @Param('id') id: string): Promise<CampaignResource> {
    return this.campaigns.archive(teamId, id);
  }

  @Get(':id/stats')
  showStats(@Param('teamId') teamId: string, @Param('id') id: string): Promise<CampaignStatsResource> {
    return this.stats.of(teamId, id);
  }
}
