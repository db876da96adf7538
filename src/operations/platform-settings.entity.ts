import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Settings of the deployment; the table has exactly one row. */
@Entity('platform_settings')
@Check('ck_platform_settings_one_row', 'id')
@Check(
  'ck_platform_settings_retention',
  '(call_retention_days = 0 OR call_retention_days >= 31) AND event_retention_days >= 0',
)
export class PlatformSettings {
  @PrimaryColumn('boolean', { default: true, primaryKeyConstraintName: 'pk_platform_settings' })
  id: true;

  /** While set, no call is dialed for any team. */
  @Column('boolean', { default: false })
  paused: boolean;

  /** Days as `src/domain/retention.ts` encodes them. */
  @Column('integer', { default: 395 })
  callRetentionDays: number;

  /** The same for events. */
  @Column('integer', { default: 7 })
  eventRetentionDays: number;
}
