import { OperatorController } from '../../http/operator-controller.decorator.js';
import { CampaignEnrollmentRoutes } from './campaign-enrollment-routes.js';

@OperatorController('teams/:teamId/campaigns/:campaignId/enrollments')
export class EnrollmentsAdminController extends CampaignEnrollmentRoutes {}
