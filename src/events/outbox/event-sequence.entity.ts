import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/**
 * How far the events of a team are numbered and removed. Only the sequencer and the retention write it; a
 * restore raises `last`.
 */
@Entity('event_sequences')
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_event_sequences_team' })
export class EventSequence {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_event_sequences' })
  teamId: string;

  /** The highest number given. */
  @Column('bigint')
  last: string;

  /** Every event up to this number is removed. */
  @Column('bigint')
  removedThrough: string;
}
