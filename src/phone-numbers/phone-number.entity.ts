import { Check, Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { E164_CHECK } from '../database/e164-check.js';

/** A number that a team calls from. */
@Entity('phone_numbers')
@Unique('uq_phone_numbers_team_number', ['teamId', 'phoneNumber'])
@Check('ck_phone_numbers_e164', E164_CHECK)
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_phone_numbers_team' })
export class PhoneNumber {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_phone_numbers' })
  id: string;

  @Column('uuid')
  teamId: string;

  /** E.164. */
  @Column('text')
  phoneNumber: string;

  @Column('boolean', { default: true })
  active: boolean;

  /** Whether outbound calling is provisioned for the number. */
  @Column('boolean', { default: true })
  outboundEnabled: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
