import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type EnrollmentState } from '../../domain/enrollment-states.js';

export type EnrollmentStatus = EnrollmentState;

/**
 * A contact's participation in one version of a campaign. The version is resolved at enrollment, and a
 * migration can change it.
 */
@Entity('enrollments')
@Index('uq_enrollments_entry', ['campaignId', 'contactId', 'entry'], { unique: true })
@Check('ck_enrollments_status', `status IN ('active', 'paused', 'completed', 'exited', 'failed')`)
@ForeignKey('campaign_versions', ['teamId', 'campaignId', 'versionId'], ['teamId', 'campaignId', 'id'], {
  name: 'fk_enrollments_version',
})
@ForeignKey('contacts', ['teamId', 'contactId'], ['teamId', 'id'], { name: 'fk_enrollments_contact' })
@Index('ix_enrollments_contact', ['teamId', 'contactId'])
@Index('ix_enrollments_version', ['versionId', 'status'])
@Index('ix_enrollments_newest', ['campaignId', 'status', 'createdAt', 'entry', 'id'])
@Index('ix_enrollments_settling', ['campaignId', 'settleAt', 'id'], {
  where: `status IN ('active', 'paused') AND settle_at IS NOT NULL`,
})
@Index('ix_enrollments_dials', ['campaignId', 'dialRank', 'lookAt', 'id'], {
  where: `status = 'active' AND look_at IS NOT NULL`,
})
@Index('ix_enrollments_newest_waiting', ['campaignId', 'waitingFor', 'createdAt', 'entry', 'id'], {
  where: 'waiting_for IS NOT NULL',
})
export class Enrollment {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()', primaryKeyConstraintName: 'pk_enrollments' })
  id: string;

  @Column('uuid')
  teamId: string;

  @Column('uuid')
  campaignId: string;

  @Column('uuid')
  contactId: string;

  /** Counts the enrollments of the contact in the campaign, from 1. */
  @Column('integer', { default: 1 })
  entry: number;

  @Column('uuid')
  versionId: string;

  @Column('text', { default: 'active' })
  status: EnrollmentStatus;

  /** Free-text label of the request that enrolled. */
  @Column('text', { nullable: true })
  source: string | null;

  /** The key of the current step; null before the engine has entered the first step. */
  @Column('text', { nullable: true })
  step: string | null;

  /** One of `WAITING_FOR`; null before the first look, after the end, and if the version places no calls. */
  @Column('text', { nullable: true })
  waitingFor: string | null;

  @Column('timestamptz', { nullable: true })
  nextAttemptAt: Date | null;

  /**
   * When the engine decides the enrollment again, and dials if everything allows it. An enrollment that waits for
   * a concurrency slot keeps this instant as its place among the others. Null: only after a change, or never.
   */
  @Column('timestamptz', { nullable: true, default: () => 'now()' })
  lookAt: Date | null;

  /**
   * When the engine next does something for the enrollment that needs no concurrency slot, such as the end of its
   * lifetime. `-infinity`: something has happened, for example its call has ended. Null: nothing is to be done
   * but the next dial, at `lookAt`.
   */
  @Column('timestamptz', { nullable: true, select: false })
  settleAt: Date | null;

  /** The order of due dials, see `DIAL_RANK`. */
  @Column('smallint', { default: 2, select: false })
  dialRank: number;

  /** The enrollment is not dialed earlier, even if its version would dial it. */
  @Column('timestamptz', { nullable: true })
  notBefore: Date | null;

  /**
   * One of `END_REASONS`; null while the enrollment is live, and for enrollments that ended before campaigns
   * placed calls.
   */
  @Column('text', { nullable: true })
  endReason: string | null;

  @Column('timestamptz', { nullable: true })
  endedAt: Date | null;

  /**
   * What happened to the enrollment, oldest first: an array of `TimelineEntry`. Only queries that show the
   * timeline select it.
   */
  @Column('jsonb', { default: [], select: false })
  timeline: unknown[];

  /**
   * How many calls of the enrollment are in each state: `under_way`, `unknown` or an outcome. The counts of
   * the campaign are made from this column.
   */
  @Column('jsonb', { default: {}, select: false })
  calls: Record<string, number>;

  /** When the contact was enrolled. The lifetime and the first delay count from this instant. */
  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt: Date;
}
