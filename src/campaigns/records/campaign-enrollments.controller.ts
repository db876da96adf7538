import { TeamController } from '../../teams/team-controller.decorator.js';
import { CampaignEnrollmentRoutes } from './campaign-enrollment-routes.js';

/** The enrollments of a team's campaigns, for requests with the team's API key. */
@TeamController('campaigns/:campaignId/enrollments')
export class CampaignEnrollmentsController extends CampaignEnrollmentRoutes {}
