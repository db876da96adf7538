import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A team's own account at a carrier. Its voice agents name it. */
@Entity('carrier_accounts')
@Unique('uq_carrier_accounts_team_id', ['teamId', 'id'])
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_carrier_accounts_team' })
@Check('ck_carrier_accounts_limits', 'max_concurrent >= 1 AND calls_per_second BETWEEN 0.1 AND 1000')
@Index('ix_carrier_accounts_team', ['teamId', 'createdAt'])
export class CarrierAccount {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_carrier_accounts' })
  id: string;

  @Column('uuid')
  teamId: string;

  /** Name of a carrier. It does not change. */
  @Column('text')
  carrier: string;

  @Column('text')
  name: string;

  /** JSON of the carrier's account fields, sealed. Empty once the account is deleted. */
  @Column('text')
  credentials: string;

  /** The credentials before the rotation. Reports with them are accepted until {@link previousUntil}. */
  @Column('text', { nullable: true })
  previousCredentials: string | null;

  @Column('timestamptz', { nullable: true })
  previousUntil: Date | null;

  /** The most active calls of the agents that name the account; `null`: no limit. */
  @Column('integer', { nullable: true })
  maxConcurrent: number | null;

  /** The most dials a second of these agents, 0.1 to 1000; `null`: no limit. */
  @Column('double precision', { nullable: true })
  callsPerSecond: number | null;

  /** When the credentials were last replaced; `null`: never. */
  @Column('timestamptz', { nullable: true })
  rotatedAt: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  /** When the account was deleted. The row stays for the deleted agents that name it. */
  @Column('timestamptz', { nullable: true })
  deletedAt: Date | null;
}
