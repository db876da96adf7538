import { Injectable } from '@nestjs/common';
import { HangUpsService } from '../../calls/records/hang-ups.service.js';
import { TeamsService } from '../../teams/teams.service.js';
import { PlatformService } from '../platform.service.js';
import { type Stop } from './stop.dto.js';

/**
 * Stops a team or the platform: it is paused, and its calls in progress are hung up. The pause comes first, so
 * no call is claimed while the others are hung up.
 */
@Injectable()
export class StopsService {
  constructor(
    private readonly teams: TeamsService,
    private readonly platform: PlatformService,
    private readonly hangUps: HangUpsService,
  ) {}

  async stopPlatform(): Promise<Stop> {
    await this.platform.pause();
    return { paused: true, ...(await this.hangUps.hangUpAll(null)) };
  }

  /** @throws AppError `NOT_FOUND`. */
  async stopTeam(teamId: string): Promise<Stop> {
    const { id } = await this.teams.setPaused(teamId, true);
    return { paused: true, ...(await this.hangUps.hangUpAll(id)) };
  }

  /** The same by the team's own key, which can resume the team afterwards. */
  async stopOwnTeam(teamId: string): Promise<Stop> {
    await this.teams.pauseByKey(teamId);
    return { paused: true, ...(await this.hangUps.hangUpAll(teamId)) };
  }

  /** Ends a pause by the team's key. @throws AppError `CONFLICT` if the operator paused the team. */
  async resumeOwnTeam(teamId: string): Promise<{ paused: boolean }> {
    await this.teams.resumeByKey(teamId);
    return { paused: false };
  }
}
