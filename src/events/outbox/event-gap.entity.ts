import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A range of positions whose events have no numbers. The last range has no end: it begins after the highest
 * position that was numbered. The others are gaps before it. Their transactions had not ended when the events
 * after them were numbered, or were rolled back.
 */
@Entity('event_gaps')
export class EventGap {
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'pk_event_gaps' })
  first: string;

  @Column('bigint')
  last: string;

  /**
   * The transaction that found the gap; null for the last range. Once all older ones have ended, no event can
   * appear in it.
   */
  @Column('bigint', { nullable: true })
  foundBy: string | null;
}
