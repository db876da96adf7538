import { Controller, Get, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Config } from '../config/config.js';
import { AppError } from '../http/app-error.js';
import { FailedAuthentications } from '../http/failed-authentications.js';
import { mayReadMetrics } from './metrics-access.js';
import { ScrapeService } from './scrape.service.js';

/** The API's metrics for Prometheus. They reveal the volume of calls, so a token can protect them. */
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly scrape: ScrapeService,
    private readonly config: Config,
    private readonly failures: FailedAuthentications,
  ) {}

  /** @throws AppError `UNAUTHORIZED`, or `RATE_LIMITED` after too many wrong tokens from the address. */
  @Get()
  async metrics(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!mayReadMetrics(this.config.metricsToken, request.headers.authorization)) {
      this.failures.count(request);
      throw new AppError('UNAUTHORIZED', 'Invalid metrics token');
    }
    const text = await this.scrape.text();
    // Express would add a charset to the media type.
    response.writeHead(200, { 'Content-Type': this.scrape.contentType }).end(text);
  }
}
