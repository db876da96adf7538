import { Controller, UseGuards } from '@nestjs/common';
import { TeamAuthGuard } from '../../teams/team-auth.guard.js';
import { CampaignResultsRoutes } from './campaign-results-routes.js';

/**
 * The results of a team's campaigns, for requests with the team's API key. The service itself limits each team, because
 * a client that reads slowly would keep one of its team's turns.
 */
@Controller('api/campaigns')
@UseGuards(TeamAuthGuard)
export class CampaignResultsController extends CampaignResultsRoutes {}
