import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { type Request } from 'express';
import { CarrierReportsService } from '../calls/dial/carrier-reports.service.js';
import { carrierEventFromJson } from '../carriers/event-json.js';
import { Config } from '../config/config.js';
import { AppError, invalid } from '../http/app-error.js';
import { bearerToken } from '../http/bearer-token.js';
import { jsonObjectOf } from '../http/body.js';
import { ownBody } from '../http/body-reader.js';
import { FailedAuthentications } from '../http/failed-authentications.js';
import { sameSecret } from '../http/same-secret.js';

/** Reports of the simulator's process. Taken once a token is configured, and only with that token. */
@Controller('api/carriers/simulator/events')
export class SimulatorCallbackController {
  constructor(
    private readonly reports: CarrierReportsService,
    private readonly config: Config,
    private readonly failures: FailedAuthentications,
  ) {}

  @Post()
  @HttpCode(200)
  async post(@Req() request: Request): Promise<{ moved: boolean }> {
    this.authenticate(request);
    const parsed = carrierEventFromJson(await jsonObjectOf(request));
    if (!parsed.ok) throw invalid(parsed.message);
    return { moved: (await this.reports.record('simulator', parsed.event)) === 'moved' };
  }

  private authenticate(request: Request): void {
    const expected = this.config.simulatorCallbackToken;
    const token = bearerToken(request.headers.authorization);
    if (expected === undefined || token === null || !sameSecret(token, expected)) {
      this.failures.count(request);
      throw new AppError('UNAUTHORIZED', 'Invalid callback token');
    }
    ownBody(request, 'simulator');
  }
}
