import { Controller, Get, Res } from '@nestjs/common';
import { type Response } from 'express';
import { HealthService } from './health.service.js';

/** Probes, without authentication. Live: the process answers. Ready: it can do its work. */
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  live(): { status: string } {
    return { status: 'ok' };
  }

  @Get('ready')
  async ready(@Res() response: Response): Promise<void> {
    const readiness = await this.health.readiness();
    response.status(readiness.ready ? 200 : 503).json(readiness);
  }
}
