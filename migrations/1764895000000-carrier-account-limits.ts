import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The limits of teams' carrier accounts, and the turns of the calls that wait for them. */
export class CarrierAccountLimits1764895000000 implements MigrationInterface {
  name = 'CarrierAccountLimits1764895000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE carrier_accounts
      ADD COLUMN max_concurrent integer,
      ADD COLUMN calls_per_second double precision,
      ADD CONSTRAINT ck_carrier_accounts_limits CHECK (max_concurrent >= 1 AND calls_per_second BETWEEN 0.1 AND 1000)`);
    // Each claim of a limited account updates its row, so its page has room for the next version.
    await db.query(`CREATE TABLE carrier_account_turns (
      account_id uuid NOT NULL,
      team_id uuid NOT NULL,
      paced_until timestamptz,
      calls_wait_until timestamptz,
      CONSTRAINT pk_carrier_account_turns PRIMARY KEY (account_id),
      CONSTRAINT fk_carrier_account_turns_account FOREIGN KEY (team_id, account_id)
        REFERENCES carrier_accounts (team_id, id)
    ) WITH (fillfactor = 50)`);
    await db.query('GRANT INSERT, SELECT, UPDATE ON carrier_account_turns TO outdial_app');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE carrier_account_turns');
    await db.query('DROP FUNCTION IF EXISTS carrier_account_lock_key(uuid)');
    await db.query(`ALTER TABLE carrier_accounts
      DROP CONSTRAINT ck_carrier_accounts_limits, DROP COLUMN max_concurrent, DROP COLUMN calls_per_second`);
  }
}
