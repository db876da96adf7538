import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * What happened to a row of a team. The database's triggers write it in the transaction of the change. The
 * sequencer numbers it after the commit, in `event_batches`. Afterwards, only an erasure changes an event.
 */
@Entity('events')
@Index('ix_events_subject', ['subject'], { where: 'subject IS NOT NULL' })
export class Event {
  /**
   * The key of the event, in the order in which the events of all teams are written. Other tables refer to an
   * event by its position. Statements never set the position: Postgres assigns it.
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
   * A hash of the team and the phone number of the event, by which an erasure finds the event. Null if the
   * event has no phone number, or the number was erased.
   */
  @Column('bigint', { nullable: true })
  subject: string | null;

  /**
   * The columns of the row when the event was written; `event-view.ts` shows them as the list of the resource
   * does. Null if the columns below have them instead.
   */
  @Column('jsonb', { nullable: true })
  data: Record<string, unknown> | null;

  /** This column and those below describe a call as it was when the event was written. */
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
