import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { E164_CHECK } from '../database/e164-check.js';

/** A number that no team dials. */
@Entity('platform_do_not_call')
@Check('ck_platform_do_not_call_number', E164_CHECK)
export class PlatformDoNotCallEntry {
  /** E.164. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_platform_do_not_call' })
  phoneNumber: string;

  @Column('text', { nullable: true })
  reason: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
