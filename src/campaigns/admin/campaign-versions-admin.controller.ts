import { OperatorController } from '../../http/operator-controller.decorator.js';
import { CampaignVersionRoutes } from './campaign-version-routes.js';

@OperatorController('teams/:teamId/campaigns/:campaignId/versions')
export class CampaignVersionsAdminController extends CampaignVersionRoutes {}
