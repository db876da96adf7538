import { Get, Param } from '@nestjs/common';
import { PageOf } from '../../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../../http/page.js';
import { ReadScope } from '../../teams/key-scope.decorator.js';
import { TeamId } from '../../teams/team-auth.guard.js';
import { TeamController } from '../../teams/team-controller.decorator.js';
import { CampaignRoutes } from '../admin/campaign-routes.js';
import { CampaignStatsService } from '../admin/campaign-stats.service.js';
import { CampaignsService } from '../admin/campaigns.service.js';
import { type CampaignDetail, type CampaignView, TeamCampaignsService } from './team-campaigns.service.js';

/** The campaigns of a team, for requests with the team's API key. */
@TeamController('campaigns')
export class CampaignsController extends CampaignRoutes {
  constructor(
    campaigns: CampaignsService,
    stats: CampaignStatsService,
    private readonly own: TeamCampaignsService,
  ) {
    super(campaigns, stats);
  }

  @Get()
  @ReadScope('campaigns')
  list(@TeamId() teamId: string, @PageOf() page: PageRequest): Promise<Page<CampaignView>> {
    return this.own.list(teamId, page);
  }

  @Get(':id')
  @ReadScope('campaigns')
  get(@TeamId() teamId: string, @Param('id') id: string): Promise<CampaignDetail> {
    return this.own.get(teamId, id);
  }
}
