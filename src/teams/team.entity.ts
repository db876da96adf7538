import { Check, Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/**
 * The tenant. A limit of `null` is no limit. A limit of *n* refuses the (*n*+1)st call; beyond
 * `maxConcurrentCalls`, calls wait.
 */
@Entity('teams')
@Check(
  'ck_teams_limits',
  `monthly_call_limit >= 0 AND number_daily_limit >= 0 AND number_weekly_limit >= 0
   AND number_monthly_limit >= 0 AND max_concurrent_calls >= 1`,
)
@Check(
  'ck_teams_retention',
  '(call_retention_days = 0 OR call_retention_days >= 31) AND event_retention_days >= 0',
)
export class Team {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_teams' })
  id: string;

  @Column('text')
  name: string;

  /** IANA time zone name. */
  @Column('text', { default: 'UTC' })
  timezone: string;

  /** ISO 3166 code that numbers in national form are read with. */
  @Column('text', { nullable: true })
  defaultCountry: string | null;

  /** ISO 3166 codes of the countries that may be dialed; `null` is any. */
  @Column('text', { array: true, nullable: true })
  allowedCountries: string[] | null;

  @Column('boolean', { default: false })
  whitelistOnly: boolean;

  /** Calls in a calendar month, UTC. */
  @Column('integer', { nullable: true })
  monthlyCallLimit: number | null;

  /** Processed calls to one number in rolling 24 hours. */
  @Column('integer', { nullable: true })
  numberDailyLimit: number | null;

  /** Processed calls to one number in rolling 7 days. */
  @Column('integer', { nullable: true })
  numberWeeklyLimit: number | null;

  /** Processed calls to one number in rolling 30 days. */
  @Column('integer', { nullable: true })
  numberMonthlyLimit: number | null;

  @Column('integer', { nullable: true })
  maxConcurrentCalls: number | null;

  @Column('boolean', { default: false })
  paused: boolean;

  /**
   * Whether an enrollment may be dialed again within the re-dial window of its own `busy`, `no_answer` and
   * `failed` attempts. With this setting, requested callbacks are allowed within the re-dial window of any
   * call.
   */
  @Column('boolean', { default: false })
  retryWithinRedialWindow: boolean;

  /** Whether numbers are accepted that are possible in their country, but in no known range. */
  @Column('boolean', { default: false })
  acceptUnknownRanges: boolean;

  /** Days as `src/domain/retention.ts` encodes them; `null`: the platform's days apply. */
  @Column('integer', { nullable: true })
  callRetentionDays: number | null;

  /** The same for events. */
  @Column('integer', { nullable: true })
  eventRetentionDays: number | null;

  /** Whether a contact was erased: the rules then look for both forms of a number. */
  @Column('boolean', { default: false })
  hasErasedNumbers: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
