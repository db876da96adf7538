import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ACTIVE_PHASE } from '../domain/call-states.js';
import { isAwake, isPendingCall, ofManyNumbers } from './facts/facts.sql.js';

/**
 * One intent to call one number. This row is authoritative, and the job in the queue only wakes the call.
 * Most of the code reads and writes the row in SQL. The class serves operators' reads, and the migrations are
 * compared with it.
 */
@Entity('call_requests')
@Check(
  'ck_call_requests_status',
  `status IN ('scheduled', 'queued', 'dialing', 'in_progress', 'completed', 'no_answer', 'busy', 'voicemail', 'failed',
     'blocked', 'expired', 'canceled', 'dial_unknown')`,
)
@Check(
  'ck_call_requests_claim',
  `status NOT IN ('dialing', 'in_progress', 'completed', 'no_answer', 'busy', 'voicemail', 'dial_unknown')
   OR (claimed_at IS NOT NULL AND processed_at IS NOT NULL AND caller_id IS NOT NULL)`,
)
@Check(
  'ck_call_requests_pending',
  `status NOT IN ('scheduled', 'queued') OR (claimed_at IS NULL AND ended_at IS NULL)`,
)
@ForeignKey('voice_agents', ['teamId', 'agentId'], ['teamId', 'id'], { name: 'fk_call_requests_agent' })
@ForeignKey('contacts', ['teamId', 'contactId'], ['teamId', 'id'], { name: 'fk_call_requests_contact' })
@ForeignKey('number_pools', ['teamId', 'numberPoolId'], ['teamId', 'id'], { name: 'fk_call_requests_pool' })
// No index contains the status, or another column that changes while a call stays active.
@Index('ix_call_requests_numbers', ['teamId', 'phoneNumber', 'phase', 'processedAt'])
@Index('ix_call_requests_caller_id', ['teamId', 'callerId', 'processedAt'], {
  // The second condition keeps Postgres from using this index instead of the index by number.
  where: 'processed_at IS NOT NULL AND caller_id IS NOT NULL',
})
@Index('ix_call_requests_awake', ['runsAt', 'id'], { where: `${isPendingCall()} AND ${isAwake()}` })
@Index('ix_call_requests_slotless', ['teamId', 'runsAt', 'id'], {
  where: `${isPendingCall()} AND waiting_since IS NOT NULL`,
})
@Index('ix_call_requests_pending', ['teamId', 'expiresAt', 'phase'], {
  where: `${isPendingCall()} AND ${ofManyNumbers()}`,
})
@Index('ix_call_requests_under_way', ['teamId', 'claimedAt'], {
  where: `phase = ${ACTIVE_PHASE} AND ${ofManyNumbers()}`,
})
@Index('ix_call_requests_ended', ['endedAt'], { where: 'ended_at IS NOT NULL' })
@Index('ix_call_requests_listing', ['teamId', 'acceptedAt', 'id'])
// This index leaves out the team. Otherwise Postgres might prefer the index of the team's list for an agent
// that makes most of the team's calls.
@Index('ix_call_requests_agent', ['agentId', 'acceptedAt', 'id'])
export class CallRequest {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_call_requests' })
  id: string;

  @Column('uuid')
  teamId: string;

  @Column('uuid')
  agentId: string;

  @Column('uuid')
  contactId: string;

  /** The enrollment that dials the call; null if the call was triggered. */
  @Column('uuid', { nullable: true })
  enrollmentId: string | null;

  /** E.164. */
  @Column('text')
  phoneNumber: string;

  @Column('text')
  status: string;

  /**
   * The coarse state, which indexes contain instead of the status: -1 scheduled, 0 queued, 1 under way, 2
   * ended.
   */
  @Column('smallint')
  phase: number;

  /** The machine-readable code of why the call ended or is in `dial_unknown`. */
  @Column('text', { nullable: true })
  reason: string | null;

  /** The request's own zone, which takes precedence over the contact's. */
  @Column('text', { nullable: true })
  timezone: string | null;

  @Column('text', { nullable: true })
  fromPhoneNumber: string | null;

  @Column('uuid', { nullable: true })
  numberPoolId: string | null;

  @Column('jsonb', { default: {} })
  variables: Record<string, unknown>;

  @Column('timestamptz')
  acceptedAt: Date;

  @Column('timestamptz')
  runsAt: Date;

  /** The first `runsAt` of the call, if the call was rescheduled after its acceptance; null if it was not. */
  @Column('timestamptz', { nullable: true })
  firstRunsAt: Date | null;

  @Column('timestamptz')
  expiresAt: Date;

  /** The window of the trigger; null: there is no such bound. */
  @Column('timestamptz', { nullable: true })
  notBefore: Date | null;

  @Column('timestamptz', { nullable: true })
  notAfter: Date | null;

  /** The generation whose jobs may act on the call. Jobs of another generation end without effect. */
  @Column('integer', { default: 0 })
  generation: number;

  @Column('timestamptz')
  wokenAt: Date;

  @Column('integer', { default: 0 })
  wakes: number;

  /**
   * Since when the call is due and waits for a concurrency slot; it has no job until a slot is offered to it.
   */
  @Column('timestamptz', { nullable: true })
  waitingSince: Date | null;

  @Column('timestamptz', { name: 'line_offered_at', nullable: true })
  concurrencySlotOfferedAt: Date | null;

  /** First day, UTC, of the month in which the plan limit counted the call. */
  @Column('date', { nullable: true })
  countedMonth: string | null;

  @Column('timestamptz', { nullable: true })
  claimedAt: Date | null;

  @Column('timestamptz', { nullable: true })
  processedAt: Date | null;

  /** E.164; the number that was dialed from. */
  @Column('text', { nullable: true })
  callerId: string | null;

  @Column('text', { nullable: true })
  prompt: string | null;

  @Column('text', { nullable: true })
  firstMessage: string | null;

  @Column('text', { array: true, default: [] })
  unknownPlaceholders: string[];

  @Column('text', { nullable: true })
  carrier: string | null;

  @Column('text', { nullable: true })
  carrierCallId: string | null;

  /**
   * When the end of the call was first requested while it was in progress. The carrier's final report then
   * has the cause `hung_up`.
   */
  @Column('timestamptz', { nullable: true })
  hangUpRequestedAt: Date | null;

  /** As the carrier reported it. */
  @Column('timestamptz', { nullable: true })
  answeredAt: Date | null;

  @Column('timestamptz', { nullable: true })
  endedAt: Date | null;

  /** Time talked, as the carrier reported it. */
  @Column('integer', { nullable: true })
  durationSeconds: number | null;

  @Column('jsonb')
  history: unknown[];

  @Column('jsonb', { default: [] })
  decisions: unknown[];
}
