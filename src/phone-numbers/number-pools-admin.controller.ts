import { OperatorController } from '../http/operator-controller.decorator.js';
import { NumberPoolRoutes } from './number-pool-routes.js';

@OperatorController('teams/:teamId/number-pools')
export class NumberPoolsAdminController extends NumberPoolRoutes {}
