import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
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
    private readonly audit: AuditService,
  ) {}

  async stopPlatform(): Promise<Stop> {
    await this.platform.pause();
    return this.hangUpAll(null);
  }

  /** @throws AppError `NOT_FOUND`. */
  async stopTeam(teamId: string): Promise<Stop> {
    const { id } = await this.teams.setPaused(teamId, true);
    return this.hangUpAll(id);
  }

  /** The same by the team's own key, which can resume the team afterwards. */
  async stopOwnTeam(teamId: string): Promise<Stop> {
    await this.teams.pauseByKey(teamId);
    return this.hangUpAll(teamId);
  }

  /** Ends a pause by the team's key. @throws AppError `CONFLICT` if the operator paused the team. */
  async resumeOwnTeam(teamId: string): Promise<{ paused: boolean }> {
    await this.teams.resumeByKey(teamId);
    return { paused: false };
  }

  /** The log says who stopped before the calls are hung up, which takes seconds. @param teamId null: all teams. */
  private async hangUpAll(teamId: string | null): Promise<Stop> {
    const type = teamId === null ? 'platform' : 'team';
    await this.audit.note({ teamId, action: `${type}.stopped`, target: { type, id: teamId } });
    return { paused: true, ...(await this.hangUps.hangUpAll(teamId)) };
  }
}
