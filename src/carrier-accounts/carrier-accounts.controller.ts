import { TeamController } from '../teams/team-controller.decorator.js';
import { CarrierAccountRoutes } from './carrier-account-routes.js';

/** The carrier accounts of a team, for requests with the team's API key. */
@TeamController('carrier-accounts')
export class CarrierAccountsController extends CarrierAccountRoutes {}
