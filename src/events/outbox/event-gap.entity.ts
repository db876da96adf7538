import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A range of positions whose events have no numbers. The last range has no end: it begins after the highest
 * position that was numbered. The other ranges are gaps before it. When later events were numbered, the
 * transactions of a gap had not ended, or they were rolled back.
 */
@Entity('event_gaps')
export class EventGap {
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'pk_event_gaps' })
  first: string;

  @Column('bigint')
  last: string;

  /**
   * The transaction that found the gap; null for the last range. Once all older transactions have ended, no
   * event can appear in the gap.
   */
  @Column('bigint', { nullable: true })
  foundBy: string | null;
}
