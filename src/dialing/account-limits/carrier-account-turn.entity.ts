import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/**
 * When the next call of a carrier account with limits may be dialed. Only a transaction that holds the account's
 * lock changes the row.
 */
@Entity('carrier_account_turns')
@ForeignKey('carrier_accounts', ['teamId', 'accountId'], ['teamId', 'id'], {
  name: 'fk_carrier_account_turns_account',
})
export class CarrierAccountTurn {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_carrier_account_turns' })
  accountId: string;

  @Column('uuid')
  teamId: string;

  /** The first instant at which the account's calls per second allow a further dial; null or past: now. */
  @Column('timestamptz', { nullable: true })
  pacedUntil: Date | null;

  /** When the last of the triggered calls that wait for the account is decided again; null or past: none waits. */
  @Column('timestamptz', { nullable: true })
  callsWaitUntil: Date | null;
}
