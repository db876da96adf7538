import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Who changed what. Rows are only added: nobody has the right to change or delete one, except by the functions of
 * the owner's that keep the retention and erase a person.
 */
export class AuditLog1764810000000 implements MigrationInterface {
  name = 'AuditLog1764810000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE TABLE audit_log (
      id bigint GENERATED ALWAYS AS IDENTITY,
      at timestamptz NOT NULL DEFAULT clock_timestamp(),
      actor_kind text NOT NULL,
      actor_id uuid,
      actor_name text,
      address text,
      team_id uuid,
      action text NOT NULL,
      target_type text NOT NULL,
      target_id text,
      before jsonb,
      after jsonb,
      CONSTRAINT pk_audit_log PRIMARY KEY (id),
      CONSTRAINT ck_audit_log_actor CHECK (actor_kind IN ('user', 'key', 'token', 'cli', 'system'))
    )`);
    await db.query('CREATE INDEX ix_audit_log_team ON audit_log (team_id, id)');
    await db.query('CREATE INDEX ix_audit_log_at ON audit_log (at)');
    await db.query('GRANT SELECT ON audit_log TO outdial_app');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION IF EXISTS write_audit(uuid, text, text, text, jsonb, jsonb)');
    await db.query('DROP TABLE audit_log');
  }
}
