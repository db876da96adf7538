import { Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ChangeScope } from '../../teams/key-scope.decorator.js';
import { TeamAuthGuard, TeamId } from '../../teams/team-auth.guard.js';
import { type Stop } from './stop.dto.js';
import { StopsService } from './stops.service.js';

/** A team stops and resumes its own calls, by its key. */
@Controller('api')
@UseGuards(TeamAuthGuard)
export class StopsController {
  constructor(private readonly stops: StopsService) {}

  @Post('stop')
  @ChangeScope('calls')
  @HttpCode(202)
  stop(@TeamId() teamId: string): Promise<Stop> {
    return this.stops.stopOwnTeam(teamId);
  }

  @Post('resume')
  @ChangeScope('calls')
  @HttpCode(200)
  resume(@TeamId() teamId: string): Promise<{ paused: boolean }> {
    return this.stops.resumeOwnTeam(teamId);
  }
}
