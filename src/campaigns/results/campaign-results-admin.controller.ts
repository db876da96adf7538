import { OperatorController } from '../../http/operator-controller.decorator.js';
import { CampaignResultsRoutes } from './campaign-results-routes.js';

@OperatorController('teams/:teamId/campaigns')
export class CampaignResultsAdminController extends CampaignResultsRoutes {}
