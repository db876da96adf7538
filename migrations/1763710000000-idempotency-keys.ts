import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The answers that are given again to a repeated `Idempotency-Key`. */
export class IdempotencyKeys1763710000000 implements MigrationInterface {
  name = 'IdempotencyKeys1763710000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `CREATE FUNCTION idempotency_lock_key(team uuid, key text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
         AS $$ SELECT hashtextextended(team::text || key, 3) $$`,
    );
    await db.query(
      `CREATE TABLE idempotency_keys (
         team_id uuid NOT NULL,
         key text NOT NULL,
         fingerprint bytea NOT NULL,
         status smallint NOT NULL,
         body json NOT NULL,
         created_at timestamptz NOT NULL,
         CONSTRAINT pk_idempotency_keys PRIMARY KEY (team_id, key),
         CONSTRAINT ck_idempotency_keys_fingerprint CHECK (length(fingerprint) = 32),
         CONSTRAINT fk_idempotency_keys_team FOREIGN KEY (team_id) REFERENCES teams (id)
       )`,
    );
    await db.query('CREATE INDEX ix_idempotency_keys_created ON idempotency_keys (created_at)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE idempotency_keys');
    await db.query('DROP FUNCTION idempotency_lock_key(uuid, text)');
  }
}
