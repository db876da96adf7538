import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createFunctions } from '../src/database/repeatable.js';

/**
 * Imports of contacts. Rows wait in chunks of up to 250, which cost less than a row of the table for each: a
 * chunk is inserted once, and deleted by the transaction that stores its contacts. The results of the rows
 * are kept in the same way.
 */
export class Imports1764260000000 implements MigrationInterface {
  name = 'Imports1764260000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `CREATE TABLE imports (
         id uuid DEFAULT uuidv7() NOT NULL,
         team_id uuid NOT NULL,
         status text NOT NULL,
         mode text NOT NULL,
         campaign_id uuid,
         version_id uuid,
         columns json,
         rows integer DEFAULT 0 NOT NULL,
         next_row integer DEFAULT 1 NOT NULL,
         created integer DEFAULT 0 NOT NULL,
         updated integer DEFAULT 0 NOT NULL,
         enrolled integer DEFAULT 0 NOT NULL,
         failed integer DEFAULT 0 NOT NULL,
         error text,
         created_at timestamptz NOT NULL,
         finished_at timestamptz,
         leased_until timestamptz,
         worked_at timestamptz,
         CONSTRAINT pk_imports PRIMARY KEY (id),
         CONSTRAINT uq_imports_team_id UNIQUE (team_id, id),
         CONSTRAINT fk_imports_team FOREIGN KEY (team_id) REFERENCES teams (id),
         CONSTRAINT ck_imports_status CHECK (status IN ('staging', 'running', 'finished', 'canceled', 'failed')),
         CONSTRAINT ck_imports_mode CHECK (mode IN ('create', 'upsert')),
         CONSTRAINT ck_imports_finished CHECK ((finished_at IS NULL) = (status IN ('staging', 'running')))
       )`,
    );
    await db.query('CREATE INDEX ix_imports_listing ON imports (team_id, created_at, id)');
    await db.query(`CREATE UNIQUE INDEX uq_imports_staging ON imports (team_id) WHERE status = 'staging'`);
    await db.query(
      `CREATE INDEX ix_imports_open ON imports (team_id, created_at, id) WHERE status IN ('staging', 'running')`,
    );
    await db.query(`CREATE INDEX ix_imports_finished ON imports (finished_at) WHERE finished_at IS NOT NULL`);
    await db.query(
      `CREATE TABLE import_chunks (
         import_id uuid NOT NULL,
         first_row integer NOT NULL,
         team_id uuid NOT NULL,
         rows integer NOT NULL,
         data text NOT NULL,
         endings integer[] NOT NULL,
         CONSTRAINT pk_import_chunks PRIMARY KEY (import_id, first_row),
         CONSTRAINT fk_import_chunks_import FOREIGN KEY (team_id, import_id) REFERENCES imports (team_id, id)
       )`,
    );
    await db.query('CREATE INDEX ix_import_chunks_team ON import_chunks (team_id, import_id, first_row)');
    await db.query(
      `CREATE TABLE import_results (
         import_id uuid NOT NULL,
         first_row integer NOT NULL,
         team_id uuid NOT NULL,
         failed integer NOT NULL,
         results json NOT NULL,
         CONSTRAINT pk_import_results PRIMARY KEY (import_id, first_row),
         CONSTRAINT fk_import_results_import FOREIGN KEY (team_id, import_id) REFERENCES imports (team_id, id)
       )`,
    );
    await createFunctions(db, ['write_import_event']);
    await db.query(
      `CREATE TRIGGER write_event_of_import AFTER UPDATE OF status ON imports
         FOR EACH ROW WHEN (OLD.status <> NEW.status AND NEW.finished_at IS NOT NULL) EXECUTE FUNCTION write_import_event()`,
    );
    await db.query('GRANT SELECT, INSERT, UPDATE ON imports TO outdial_app');
    await db.query('GRANT SELECT, INSERT, UPDATE, DELETE ON import_chunks TO outdial_app');
    await db.query('GRANT SELECT, INSERT ON import_results TO outdial_app');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION IF EXISTS take_import, close_stale_imports, remove_old_imports');
    await db.query('DROP TABLE import_results');
    await db.query('DROP TABLE import_chunks');
    await db.query('DROP TABLE imports');
    await db.query('DROP FUNCTION write_import_event');
  }
}
