import { IsOptional } from 'class-validator';
import {
  daysOf,
  MIN_CALL_DAYS,
  MIN_EVENT_DAYS,
  type RetentionDays,
  storedDays,
} from '../domain/retention.js';
import { IsDays } from '../http/operator-validators.js';
import { type PlatformSettings } from './platform-settings.entity.js';

/** Body of a change of the platform: absent fields stay as they are. */
export class UpdatePlatform {
  @IsOptional()
  @IsDays(MIN_CALL_DAYS)
  callRetentionDays?: number | null;

  @IsOptional()
  @IsDays(MIN_EVENT_DAYS)
  eventRetentionDays?: number | null;
}

/** The platform as the operator reads it. */
export interface PlatformResource extends RetentionDays {
  paused: boolean;
}

export function platformResource(settings: PlatformSettings): PlatformResource {
  return {
    paused: settings.paused,
    callRetentionDays: daysOf(settings.callRetentionDays),
    eventRetentionDays: daysOf(settings.eventRetentionDays),
  };
}

/** The columns of the fields that were sent. */
export function platformColumns({ callRetentionDays, eventRetentionDays }: UpdatePlatform) {
  const stored = (days: number | null | undefined) => (days === undefined ? undefined : storedDays(days));
  return {
    callRetentionDays: stored(callRetentionDays),
    eventRetentionDays: stored(eventRetentionDays),
  };
}
