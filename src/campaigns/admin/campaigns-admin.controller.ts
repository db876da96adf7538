import { Get, Param } from '@nestjs/common';
import { OperatorController } from '../../http/operator-controller.decorator.js';
import { PageOf } from '../../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../../http/page.js';
import { CampaignRoutes } from './campaign-routes.js';
import { type CampaignResource } from './campaign.dto.js';

@OperatorController('teams/:teamId/campaigns')
export class CampaignsAdminController extends CampaignRoutes {
  @Get()
  list(@Param('teamId') teamId: string, @PageOf() page: PageRequest): Promise<Page<CampaignResource>> {
    return this.campaigns.list(teamId, page);
  }

  @Get(':id')
  get(@Param('teamId') teamId: string, @Param('id') id: string): Promise<CampaignResource> {
    return this.campaigns.get(teamId, id);
  }
}
