import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Events of a team that were numbered together. Their numbers follow each other and end with `last`, in the
 * order of `positions`. Only the sequencer writes it, and the retention removes it with its events.
 */
@Entity('event_batches')
export class EventBatch {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_event_batches' })
  teamId: string;

  /** The number of the last event. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'pk_event_batches' })
  last: string;

  /** The keys of the events. */
  @Column('bigint', { array: true })
  positions: string[];
}
