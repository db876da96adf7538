import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { E164_CHECK } from '../database/e164-check.js';

/** A number that a whitelist-only team may dial. */
@Entity('whitelist')
@Check('ck_whitelist_e164', E164_CHECK)
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_whitelist_team' })
export class WhitelistEntry {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_whitelist' })
  teamId: string;

  /** E.164. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_whitelist' })
  phoneNumber: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
