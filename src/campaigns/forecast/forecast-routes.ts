import { HttpCode, Injectable, Param, Post, Res } from '@nestjs/common';
import { type Response } from 'express';
import { AppError } from '../../http/app-error.js';
import { JsonBody } from '../../http/json-body.decorator.js';
import { ChangeScope } from '../../teams/key-scope.decorator.js';
import { TeamOfRoute } from '../../teams/team-controller.decorator.js';
import { ForecastRequest, type ForecastResource } from './forecast.dto.js';
import { ForecastService, MAX_FORECAST_MS } from './forecast.service.js';

/** The forecast of a version, which the operator and a team's key have alike. */
@Injectable()
export abstract class ForecastRoutes {
  constructor(private readonly forecasts: ForecastService) {}

  @Post(':versionId/forecast')
  @HttpCode(200)
  @ChangeScope('campaigns')
  forecast(
    @TeamOfRoute() teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('versionId') versionId: string,
    @JsonBody(ForecastRequest) fields: ForecastRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ForecastResource> {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new AppError('SERVICE_UNAVAILABLE', 'The client has left')));
    // During the forecast no byte is sent, so the server would close the connection after its usual timeout.
    response.setTimeout(MAX_FORECAST_MS);
    return this.forecasts.of({ teamId, campaignId, versionId }, fields, gone.signal);
  }
}
