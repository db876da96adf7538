import { Controller, Get, Param, UseGuards } from '@nestjs/common';
import { PageOf } from '../../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../../http/page.js';
import { ReadScope } from '../../teams/key-scope.decorator.js';
import { TeamAuthGuard, TeamId } from '../../teams/team-auth.guard.js';
import { type CampaignDetail, type CampaignView, TeamCampaignsService } from './team-campaigns.service.js';

/** The campaigns of a team, for requests with the team's API key. */
@Controller('api/campaigns')
@UseGuards(TeamAuthGuard)
export class CampaignsController {
  constructor(private readonly campaigns: TeamCampaignsService) {}

  @Get()
  @ReadScope('campaigns')
  list(@TeamId() teamId: string, @PageOf() page: PageRequest): Promise<Page<CampaignView>> {
    return this.campaigns.list(teamId, page);
  }

  @Get(':campaignId')
  @ReadScope('campaigns')
  get(@TeamId() teamId: string, @Param('campaignId') campaignId: string): Promise<CampaignDetail> {
    return this.campaigns.get(teamId, campaignId);
  }
}
