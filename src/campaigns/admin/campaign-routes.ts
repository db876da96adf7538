import { Get, Injectable, Param, Patch, Post } from '@nestjs/common';
import { JsonBody } from '../../http/json-body.decorator.js';
import { ChangeScope, ReadScope } from '../../teams/key-scope.decorator.js';
import { TeamOfRoute } from '../../teams/team-controller.decorator.js';
import { type CampaignStatsResource } from './campaign-stats.dto.js';
import { CampaignStatsService } from './campaign-stats.service.js';
import {
  type CampaignResource,
  type ChangedCampaignResource,
  CreateCampaign,
  UpdateCampaign,
} from './campaign.dto.js';
import { CampaignsService } from './campaigns.service.js';

/** The routes of campaigns, which the operator and a team's key have alike. */
@Injectable()
export abstract class CampaignRoutes {
  constructor(
    protected readonly campaigns: CampaignsService,
    private readonly stats: CampaignStatsService,
  ) {}

  @Post()
  @ChangeScope('campaigns')
  create(
    @TeamOfRoute() teamId: string,
    @JsonBody(CreateCampaign) fields: CreateCampaign,
  ): Promise<ChangedCampaignResource> {
    return this.campaigns.create(teamId, fields);
  }

  @Patch(':id')
  @ChangeScope('campaigns')
  update(
    @TeamOfRoute() teamId: string,
    @Param('id') id: string,
    @JsonBody(UpdateCampaign) fields: UpdateCampaign,
  ): Promise<ChangedCampaignResource> {
    return this.campaigns.update(teamId, id, fields);
  }

  @Post(':id/archive')
  @ChangeScope('campaigns')
  archive(@TeamOfRoute() teamId: string, @Param('id') id: string): Promise<CampaignResource> {
    return this.campaigns.archive(teamId, id);
  }

  @Get(':id/stats')
  @ReadScope('campaigns')
  showStats(@TeamOfRoute() teamId: string, @Param('id') id: string): Promise<CampaignStatsResource> {
    return this.stats.of(teamId, id);
  }
}
