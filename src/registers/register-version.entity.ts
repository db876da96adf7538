import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** `in_force`: the version that numbers are looked up in. `replaced`, `removed`: its numbers are gone. */
export const VERSION_STATES = ['in_force', 'replaced', 'removed'] as const;
export type VersionState = (typeof VERSION_STATES)[number];

/**
 * A version of a public register of numbers that must not be called. Its row stays when another version replaces it: it
 * says when the deployment had which list.
 */
@Entity('register_versions')
@Check('ck_register_versions_status', "status IN ('in_force', 'replaced', 'removed')")
@Check('ck_register_versions_ended', "(status = 'in_force') = (ended_at IS NULL)")
@Check('ck_register_versions_numbers', 'numbers > 0')
@Index('uq_register_versions_in_force', ['register'], { unique: true, where: "status = 'in_force'" })
export class RegisterVersion {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'pk_register_versions',
  })
  id: number;

  /** Such as `us-ftc-dnc`. */
  @Column('text')
  register: string;

  @Column('text', { default: 'in_force' })
  status: VersionState;

  /** The layout of the files. */
  @Column('text')
  format: string;

  /** When the list was made. */
  @Column('timestamptz')
  asOf: Date;

  @Column('timestamptz')
  importedAt: Date;

  /** When another version replaced it, or it was removed. */
  @Column('timestamptz', { nullable: true })
  endedAt: Date | null;

  /** How many different numbers it had; a bigint, which the driver returns as text. */
  @Column('bigint')
  numbers: string;

  /**
   * The calling code and area code of the numbers that the files are about, such as 1212; null: of all numbers. The
   * register says nothing of a number with another area code.
   */
  @Column('integer', { array: true, nullable: true })
  areas: number[] | null;
}
