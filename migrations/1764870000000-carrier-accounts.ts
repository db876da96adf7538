import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Teams' own accounts at carriers, which agents name. */
export class CarrierAccounts1764870000000 implements MigrationInterface {
  name = 'CarrierAccounts1764870000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE TABLE carrier_accounts (
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      team_id uuid NOT NULL,
      carrier text NOT NULL,
      name text NOT NULL,
      credentials text NOT NULL,
      previous_credentials text,
      previous_until timestamptz,
      rotated_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      deleted_at timestamptz,
      CONSTRAINT pk_carrier_accounts PRIMARY KEY (id),
      CONSTRAINT uq_carrier_accounts_team_id UNIQUE (team_id, id),
      CONSTRAINT fk_carrier_accounts_team FOREIGN KEY (team_id) REFERENCES teams (id)
    )`);
    await db.query('CREATE INDEX ix_carrier_accounts_team ON carrier_accounts (team_id, created_at)');
    await db.query('GRANT SELECT ON carrier_accounts TO outdial_app');
    const audit = `EXECUTE FUNCTION audit_change('carrier_account', 'id', 'credentials,previous_credentials', 'id,previous_until,rotated_at')`;
    await db.query(
      `CREATE TRIGGER audit_row AFTER INSERT OR DELETE ON carrier_accounts FOR EACH ROW ${audit}`,
    );
    await db.query(`CREATE TRIGGER audit_changed_row AFTER UPDATE ON carrier_accounts FOR EACH ROW
      WHEN (old.* IS DISTINCT FROM new.*) ${audit}`);
    await db.query('ALTER TABLE voice_agents ADD COLUMN carrier_account_id uuid');
    await db.query(`ALTER TABLE voice_agents
      ADD CONSTRAINT fk_voice_agents_account FOREIGN KEY (team_id, carrier_account_id)
      REFERENCES carrier_accounts (team_id, id)`);
    await dropChangedFunctions(db);
  }

  async down(db: QueryRunner): Promise<void> {
    await dropChangedFunctions(db);
    await db.query('DROP FUNCTION IF EXISTS carrier_account_of(uuid)');
    await db.query('ALTER TABLE voice_agents DROP COLUMN carrier_account_id');
    await db.query('DROP TABLE carrier_accounts');
  }
}

/** Their columns changed, which `CREATE OR REPLACE` cannot do. The scripts of this version create them again. */
async function dropChangedFunctions(db: QueryRunner): Promise<void> {
  await db.query('DROP FUNCTION IF EXISTS ask_unknown_of(text, float8, integer)');
  await db.query('DROP FUNCTION IF EXISTS ask_silent_of(text, float8, float8, integer)');
}
