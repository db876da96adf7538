import { OperatorController } from '../../http/operator-controller.decorator.js';
import { ForecastRoutes } from './forecast-routes.js';

@OperatorController('teams/:teamId/campaigns/:campaignId/versions')
export class ForecastAdminController extends ForecastRoutes {}
