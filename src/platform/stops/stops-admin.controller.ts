import { HttpCode, Param, Post } from '@nestjs/common';
import { OperatorController } from '../../http/operator-controller.decorator.js';
import { type Stop } from './stop.dto.js';
import { StopsService } from './stops.service.js';

@OperatorController('')
export class StopsAdminController {
  constructor(private readonly stops: StopsService) {}

  @Post('stop')
  @HttpCode(202)
  stopPlatform(): Promise<Stop> {
    return this.stops.stopPlatform();
  }

  @Post('teams/:teamId/stop')
  @HttpCode(202)
  stopTeam(@Param('teamId') teamId: string): Promise<Stop> {
    return this.stops.stopTeam(teamId);
  }
}
