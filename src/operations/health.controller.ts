import { Controller, Get, Query, Res } from '@nestjs/common';
import { type Response } from 'express';
import { HealthService } from './health.service.js';

/**
 * Probes, without authentication. Live: the process answers. Ready: it can do its work; `?without=redis`
 * checks only whether requests can be answered, for load balancers
 * (docs/decisions/postgres-decides-redis-wakes.md).
 */
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  live(): { status: string } {
    return { status: 'ok' };
  }

  @Get('ready')
  async ready(@Query('without') without: unknown, @Res() response: Response): Promise<void> {
    const readiness = await this.health.readiness({ withoutRedis: without === 'redis' });
    response.status(readiness.ready ? 200 : 503).json(readiness);
  }
}
