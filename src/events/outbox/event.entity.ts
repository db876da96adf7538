import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * What happened to a row of a team. The database's triggers write it in the transaction of the change, and the sequencer numbers it after
 * the commit. Only an erasure changes it after that.
 */
@Entity('events')
@Index('ix_events_unnumbered', ['position'], { where: 'sequence IS NULL' })
@Index('uq_events_sequence', ['teamId', 'sequence'], { unique: true, where: 'sequence IS NOT NULL' })
@Index('ix_events_subject', ['subject'], { where: 'subject IS NOT NULL' })
export class Event {
  /** The order in which events were written, of all teams. Other tables refer to an event by it. */
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

  /** Counts the events of the team in the order in which readers see them, with gaps; null until it is numbered. */
  @Column('bigint', { nullable: true })
  sequence: string | null;

  /** A hash of the team and the phone number in `data`, by which an erasure finds the event; null for none. */
  @Column('bigint', { nullable: true })
  subject: string | null;

  /** Columns of the row as they were then. `event-view.ts` makes of them what the list of the resource shows. */
  @Column('jsonb')
  data: Record<string, unknown>;
}
