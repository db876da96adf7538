import { TeamController } from '../teams/team-controller.decorator.js';
import { NumberPoolRoutes } from './number-pool-routes.js';

/** The number pools of a team, for requests with the team's API key. */
@TeamController('number-pools')
export class NumberPoolsController extends NumberPoolRoutes {}
