import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The check value by which the key of a database’s erased numbers is recognized; no row before the first
 * erasure.
 */
@Entity('erasure_key')
@Check('ck_erasure_key_one_row', 'id')
export class ErasureKey {
  @PrimaryColumn('boolean', { default: true, primaryKeyConstraintName: 'pk_erasure_key' })
  id: true;

  /** An HMAC under the key, which does not reveal the key. */
  @Column('text')
  checkValue: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
