import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Events of a team that were numbered together. Their sequences are consecutive, in the order of `positions`,
 * and end with `last`. Only the sequencer writes a batch, and the retention removes it with its events.
 */
@Entity('event_batches')
export class EventBatch {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_event_batches' })
  teamId: string;

  /** The sequence of the last event. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'pk_event_batches' })
  last: string;

  /** The keys of the events. */
  @Column('bigint', { array: true })
  positions: string[];
}
