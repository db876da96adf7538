import { TeamController } from '../../teams/team-controller.decorator.js';
import { CampaignVersionRoutes } from './campaign-version-routes.js';

/** The versions of a team's campaigns, for requests with the team's API key. */
@TeamController('campaigns/:campaignId/versions')
export class CampaignVersionsController extends CampaignVersionRoutes {}
