import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** By what the key of a database’s erased numbers is known again; no row before the first erasure. */
@Entity('erasure_key')
@Check('ck_erasure_key_one_row', 'id')
export class ErasureKey {
  @PrimaryColumn('boolean', { default: true, primaryKeyConstraintName: 'pk_erasure_key' })
  id: true;

  /** An HMAC under the key; it does not tell the key. */
  @Column('text')
  checkValue: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
