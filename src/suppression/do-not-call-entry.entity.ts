import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { STORED_NUMBER_CHECK } from '../database/e164-check.js';

/** A number that a team never dials. */
@Entity('do_not_call')
@Check('ck_do_not_call_number', STORED_NUMBER_CHECK)
@Index('ix_do_not_call_listing', ['teamId', 'createdAt', 'phoneNumber'])
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_do_not_call_team' })
export class DoNotCallEntry {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_do_not_call' })
  teamId: string;

  /** E.164, or the erased number. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_do_not_call' })
  phoneNumber: string;

  @Column('text', { nullable: true })
  reason: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
