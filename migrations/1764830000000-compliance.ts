import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Lawful calling: the setting of a team, `off` for teams that exist; the purpose of agents and campaigns; and the versions
 * of packs that decided something.
 */
export class Compliance1764830000000 implements MigrationInterface {
  name = 'Compliance1764830000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE teams
      ADD COLUMN compliance jsonb NOT NULL DEFAULT '{"mode": "off"}',
      ADD CONSTRAINT ck_teams_compliance CHECK (compliance->>'mode' IN ('off', 'warn', 'enforce'))`);
    for (const table of ['voice_agents', 'campaigns']) {
      await db.query(`ALTER TABLE ${table}
        ADD COLUMN purpose text,
        ADD CONSTRAINT ck_${table}_purpose CHECK (purpose IN ('marketing', 'informational', 'debt', 'survey'))`);
    }
    await db.query(`CREATE TABLE pack_versions (
      pack text NOT NULL,
      version text NOT NULL,
      content text NOT NULL,
      used_from timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT pk_pack_versions PRIMARY KEY (pack, version))`);
    await db.query('GRANT SELECT, INSERT ON pack_versions TO outdial_app');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE pack_versions');
    for (const table of ['voice_agents', 'campaigns']) {
      await db.query(`ALTER TABLE ${table} DROP CONSTRAINT ck_${table}_purpose, DROP COLUMN purpose`);
    }
    await db.query('ALTER TABLE teams DROP CONSTRAINT ck_teams_compliance, DROP COLUMN compliance');
  }
}
