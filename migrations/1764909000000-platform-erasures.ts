import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Calls of erased persons that are still to be erased at the platforms of voice agents. */
export class PlatformErasures1764909000000 implements MigrationInterface {
  name = 'PlatformErasures1764909000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE TABLE platform_erasures (
      id uuid NOT NULL,
      team_id uuid NOT NULL,
      carrier text NOT NULL,
      carrier_call_id text,
      carrier_account_id uuid,
      attempts integer NOT NULL DEFAULT 0,
      reason text,
      due_at timestamptz NOT NULL DEFAULT now(),
      created_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT pk_platform_erasures PRIMARY KEY (id),
      CONSTRAINT fk_platform_erasures_team FOREIGN KEY (team_id) REFERENCES teams (id)
    )`);
    await db.query('CREATE INDEX ix_platform_erasures_due ON platform_erasures (due_at)');
    await db.query('CREATE INDEX ix_platform_erasures_team ON platform_erasures (team_id, created_at)');
    await db.query('GRANT SELECT, INSERT, UPDATE, DELETE ON platform_erasures TO outdial_app');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION IF EXISTS platform_erasures_due(integer)');
    await db.query('DROP TABLE platform_erasures');
  }
}
