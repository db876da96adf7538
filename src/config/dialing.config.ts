import { Expose } from 'class-transformer';
import { IsOptional, IsString, Matches } from 'class-validator';
import { WholeNumber } from './whole-number.decorator.js';

const HOUR_MS = 3_600_000;

/** How the worker dials and repairs. */
export class DialingConfig {
  /** The carrier of agents that name none. Its name is checked against the declared carriers. */
  @Expose({ name: 'CARRIER' })
  @IsString()
  carrier: string;

  /**
   * The most triggered calls that one worker process dials at a time, and also the most calls of campaigns.
   * Each carrier with a calls-per-second limit has a further limit.
   */
  @Expose({ name: 'WORKER_CONCURRENCY' })
  @WholeNumber(1, 1000)
  workerConcurrency = 20;

  /** Milliseconds between two runs of the sweeper, and of the campaigns' engine. */
  @Expose({ name: 'SWEEPER_INTERVAL_MS' })
  @WholeNumber(50, HOUR_MS)
  sweeperIntervalMs = 1000;

  /** Milliseconds that a due call's wake-up may be missing before the sweeper sends another. */
  @Expose({ name: 'SWEEPER_GRACE_MS' })
  @WholeNumber(100, HOUR_MS)
  sweeperGraceMs = 10_000;

  /**
   * The longest call, in seconds. A call whose carrier reported no end within this time after its claim goes
   * to `dial_unknown`.
   */
  @Expose({ name: 'CALL_TIME_LIMIT_SECONDS' })
  @WholeNumber(1, 86_400)
  callTimeLimitSeconds = 4 * 3_600;

  /** A file with newer zone data than those that Outdial has, as moment-timezone packs them. */
  @Expose({ name: 'TZDATA_FILE' })
  @IsOptional()
  @Matches(/^\//, { message: 'must be an absolute path' })
  tzdataFile?: string;
}
