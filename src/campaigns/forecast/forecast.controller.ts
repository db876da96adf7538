import { Controller, UseGuards } from '@nestjs/common';
import { TeamAuthGuard } from '../../teams/team-auth.guard.js';
import { ForecastRoutes } from './forecast-routes.js';

/** Forecasts of a team's campaigns, for requests with the team's API key. The service itself limits each team. */
@Controller('api/campaigns/:campaignId/versions')
@UseGuards(TeamAuthGuard)
export class ForecastController extends ForecastRoutes {}
