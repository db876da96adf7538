import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createTriggerFunctions } from '../src/database/repeatable.js';

const STATES = `'staging', 'running', 'finished', 'canceled', 'failed'`;

/**
 * What an import did to each of its contacts, so that it can be undone, and imports that wait to be started. The
 * constraints check a table that has the imports of a week.
 */
export class ImportUndo1764520000000 implements MigrationInterface {
  name = 'ImportUndo1764520000000';

  async up(db: QueryRunner): Promise<void> {
    await createTriggerFunctions(db);
    await db.query(`ALTER TABLE imports
      ADD COLUMN tracked boolean NOT NULL DEFAULT false,
      ADD COLUMN undone_after uuid,
      ADD COLUMN undo jsonb,
      ADD COLUMN undo_began_at timestamptz,
      ADD COLUMN undone_at timestamptz,
      DROP CONSTRAINT ck_imports_status,
      DROP CONSTRAINT ck_imports_finished,
      ADD CONSTRAINT ck_imports_status CHECK (status IN (${STATES}, 'held', 'undoing', 'undone')),
      ADD CONSTRAINT ck_imports_finished CHECK ((finished_at IS NULL) = (status IN ('staging', 'held', 'running')))`);
    await db.query('DROP INDEX ix_imports_open');
    await db.query(`CREATE INDEX ix_imports_open ON imports (team_id, created_at, id)
      WHERE status IN ('staging', 'held', 'running', 'undoing')`);
    await db.query(`CREATE OR REPLACE TRIGGER write_event_of_import AFTER UPDATE OF status ON imports
      FOR EACH ROW WHEN (OLD.status <> NEW.status AND OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL)
      EXECUTE FUNCTION write_import_event()`);
    await db.query(`ALTER TABLE import_contacts
      ADD COLUMN created boolean NOT NULL DEFAULT false,
      ADD COLUMN changed_at timestamptz,
      ADD COLUMN enrollments uuid[],
      ADD COLUMN undone text`);
    await db.query('GRANT UPDATE ON import_contacts TO outdial_app');
  }

  /** Imports that are held are canceled, and those that were undone are as if they were not. */
  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION IF EXISTS take_undo(interval)');
    await db.query(`UPDATE imports SET status = 'canceled', finished_at = coalesce(finished_at, now()), leased_until = NULL
      WHERE status IN ('held', 'undoing', 'undone')`);
    await db.query(`ALTER TABLE imports
      DROP COLUMN tracked, DROP COLUMN undone_after, DROP COLUMN undo, DROP COLUMN undo_began_at, DROP COLUMN undone_at,
      DROP CONSTRAINT ck_imports_status,
      DROP CONSTRAINT ck_imports_finished,
      ADD CONSTRAINT ck_imports_status CHECK (status IN (${STATES})),
      ADD CONSTRAINT ck_imports_finished CHECK ((finished_at IS NULL) = (status IN ('staging', 'running')))`);
    await db.query('DROP INDEX ix_imports_open');
    await db.query(`CREATE INDEX ix_imports_open ON imports (team_id, created_at, id)
      WHERE status IN ('staging', 'running')`);
    await db.query(`CREATE OR REPLACE TRIGGER write_event_of_import AFTER UPDATE OF status ON imports
      FOR EACH ROW WHEN (OLD.status <> NEW.status AND NEW.finished_at IS NOT NULL)
      EXECUTE FUNCTION write_import_event()`);
    await db.query('REVOKE UPDATE ON import_contacts FROM outdial_app');
    await db.query(`ALTER TABLE import_contacts
      DROP COLUMN created, DROP COLUMN changed_at, DROP COLUMN enrollments, DROP COLUMN undone`);
  }
}
