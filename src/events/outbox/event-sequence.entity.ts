import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/**
 * How far the events of a team are numbered and removed. The sequencer and the retention write it. After a
 * restore of the database, `last` is raised once.
 */
@Entity('event_sequences')
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_event_sequences_team' })
export class EventSequence {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_event_sequences' })
  teamId: string;

  /** The highest sequence that is used. */
  @Column('bigint')
  last: string;

  /** Every event up to this sequence is removed. */
  @Column('bigint')
  removedThrough: string;
}
