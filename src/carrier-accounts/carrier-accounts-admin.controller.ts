import { OperatorController } from '../http/operator-controller.decorator.js';
import { CarrierAccountRoutes } from './carrier-account-routes.js';

@OperatorController('teams/:teamId/carrier-accounts')
export class CarrierAccountsAdminController extends CarrierAccountRoutes {}
