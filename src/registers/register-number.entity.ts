import { Entity, PrimaryColumn } from 'typeorm';

/** A listed number. Each version of a register has a partition. */
@Entity('register_numbers')
export class RegisterNumber {
  /** E.164 without its plus, as a bigint, which the driver returns as text. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'pk_register_numbers' })
  number: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'pk_register_numbers' })
  version: number;
}
