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

  /** The version of the zone data in force; null before the first process of a release that has them. */
  @Column('text', { nullable: true })
  zoneDataVersion: string | null;

  @Column('timestamptz', { nullable: true })
  zoneDataSince: Date | null;

  /** The packed data, as JSON. */
  @Column('text', { nullable: true, select: false })
  zoneData: string | null;

  @Column('text', { nullable: true })
  zoneDataVersionBefore: string | null;

  @Column('text', { nullable: true, select: false })
  zoneDataBefore: string | null;

  /** The version by which all pending calls and enrollments have been decided. */
  @Column('text', { nullable: true })
  zoneDataMoved: string | null;
}
