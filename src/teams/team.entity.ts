import { Check, Column, type ColumnOptions, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { type ComplianceSetting } from '../domain/compliance/facts.js';
import {
  TEAM_SETTINGS,
  type TeamSettingKind,
  type TeamSettingName,
  teamSettingNamed,
  type TeamSettingValues,
} from '../domain/team-settings.js';

/** A column with the type that the kind of the setting gives it. */
function SettingColumn() {
  return (target: object, property: TeamSettingName): void => {
    const { column, kind } = teamSettingNamed(property);
    Column({ name: column, ...COLUMNS[kind.type] })(target, property);
  };
}

const COLUMNS: Record<TeamSettingKind['type'], ColumnOptions> = {
  name: { type: 'text' },
  timeZone: { type: 'text', default: 'UTC' },
  flag: { type: 'boolean', default: false },
  country: { type: 'text', nullable: true },
  countries: { type: 'text', array: true, nullable: true },
  carriers: { type: 'text', array: true, nullable: true },
  limit: { type: 'integer', nullable: true },
  days: { type: 'integer', nullable: true },
  compliance: { type: 'jsonb', default: { mode: 'off' } },
};

/** SQL: every limit is at least its minimum. */
const LIMITS = TEAM_SETTINGS.flatMap(({ column, kind }) =>
  kind.type === 'limit' ? [`${column} >= ${kind.min}`] : [],
).join(' AND ');

/** The tenant, with its settings as `TEAM_SETTINGS` describes them. */
@Entity('teams')
@Check('ck_teams_limits', LIMITS)
@Check('ck_teams_compliance', `compliance->>'mode' IN ('off', 'warn', 'enforce')`)
@Check(
  'ck_teams_retention',
  '(call_retention_days = 0 OR call_retention_days >= 31) AND event_retention_days >= 0',
)
export class Team implements TeamSettingValues {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_teams' })
  id: string;

  @SettingColumn()
  name: string;

  @SettingColumn()
  timezone: string;

  @SettingColumn()
  defaultCountry: string | null;

  @SettingColumn()
  allowedCountries: string[] | null;

  @SettingColumn()
  allowedCarriers: string[] | null;

  @SettingColumn()
  whitelistOnly: boolean;

  @SettingColumn()
  monthlyCallLimit: number | null;

  @SettingColumn()
  numberDailyLimit: number | null;

  @SettingColumn()
  numberWeeklyLimit: number | null;

  @SettingColumn()
  numberMonthlyLimit: number | null;

  @SettingColumn()
  maxConcurrentCalls: number | null;

  @SettingColumn()
  paused: boolean;

  /** Whether a key of the team paused it. Only such a pause can be ended by a key. */
  @Column('boolean', { default: false })
  pausedByKey: boolean;

  @SettingColumn()
  retryWithinRedialWindow: boolean;

  @SettingColumn()
  acceptUnknownRanges: boolean;

  @SettingColumn()
  doNotCallByPurpose: boolean;

  /** Whether the team ever had a Do Not Call entry for a campaign, an agent, a purpose or a time. */
  @Column('boolean', { default: false })
  hasLimitedDoNotCall: boolean;

  /** Days as `src/domain/retention.ts` encodes them; `null`: the platform's days apply. */
  @SettingColumn()
  callRetentionDays: number | null;

  /** The same for events. */
  @SettingColumn()
  eventRetentionDays: number | null;

  /** Keys that are missing have their defaults; see `complianceSettingOf`. */
  @SettingColumn()
  compliance: ComplianceSetting;

  /** Whether a contact was erased: the rules then look for both forms of a number. */
  @Column('boolean', { default: false })
  hasErasedNumbers: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
