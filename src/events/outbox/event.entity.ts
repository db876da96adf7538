import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * What happened to a row of a team. The database's triggers write it in the transaction of the change. The
 * sequencer numbers it after the commit, in `event_batches`. Only an erasure changes it.
 */
@Entity('events')
@Index('ix_events_subject', ['subject'], { where: 'subject IS NOT NULL' })
export class Event {
  /**
   * The order in which events were written, of all teams. Other tables refer to an event by it. Only the
   * identity column sets it.
   */
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'pk_events',
  })
  position: string;

  /** A UUID of version 7, the same for every reader. */
  @Column('uuid')
  id: string;

  @Column('uuid')
  teamId: string;

  /** One of `EVENT_TYPES`. */
  @Column('text')
  type: string;

  @Column('timestamptz')
  at: Date;

  /**
   * The number that the version before gave the event, which is in `event_batches`, too. Nothing reads it.
   */
  @Column('bigint', { nullable: true })
  sequence: string | null;

  /**
   * A hash of the team and the phone number of the event, by which an erasure finds the event; null for none.
   */
  @Column('bigint', { nullable: true })
  subject: string | null;

  /**
   * Columns of the row as they were then, which `event-view.ts` shows as the list of the resource does; null:
   * those below.
   */
  @Column('jsonb', { nullable: true })
  data: Record<string, unknown> | null;

  /** From here on: of a call, as they were then. */
  @Column('uuid', { nullable: true })
  callId: string | null;

  @Column('uuid', { nullable: true })
  agentId: string | null;

  @Column('uuid', { nullable: true })
  enrollmentId: string | null;

  @Column('timestamptz', { nullable: true })
  acceptedAt: Date | null;

  @Column('text', { nullable: true })
  status: string | null;

  @Column('text', { nullable: true })
  reason: string | null;

  @Column('timestamptz', { nullable: true })
  runsAt: Date | null;

  @Column('timestamptz', { nullable: true })
  expiresAt: Date | null;

  @Column('uuid', { nullable: true })
  contactId: string | null;

  @Column('text', { nullable: true })
  phoneNumber: string | null;

  @Column('text', { nullable: true })
  callerId: string | null;

  @Column('timestamptz', { nullable: true })
  answeredAt: Date | null;

  @Column('timestamptz', { nullable: true })
  endedAt: Date | null;

  @Column('integer', { nullable: true })
  durationSeconds: number | null;

  @Column('text', { array: true, nullable: true })
  unknownPlaceholders: string[] | null;
}
