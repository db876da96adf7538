import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createFunctions } from '../src/database/repeatable.js';

/**
 * The phase of each call. The column is added without a rewrite: existing rows read as ended, which nearly
 * all are, and the next migration corrects the others. Triggers set the phase for processes of the version
 * before, which do not write it.
 */
export class CallPhases1764120000000 implements MigrationInterface {
  name = 'CallPhases1764120000000';

  async up(db: QueryRunner): Promise<void> {
    await createFunctions(db, ['say_phase_of_new_call', 'say_phase_of_moved_call']);
    await db.query(ADD_PHASE);
    // Space for the next versions of a row beside it.
    await db.query('ALTER TABLE call_requests SET (fillfactor = 70)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(
      `ALTER TABLE call_requests RESET (fillfactor);
       DROP TRIGGER say_phase_of_new_call ON call_requests;
       DROP TRIGGER say_phase_of_moved_call ON call_requests;
       DROP FUNCTION IF EXISTS say_phase_of_new_call, say_phase_of_moved_call, new_call_id;
       ALTER TABLE call_requests DROP COLUMN phase`,
    );
  }
}

const ADD_PHASE = `
  ALTER TABLE call_requests ADD COLUMN phase smallint NOT NULL DEFAULT 2;
  ALTER TABLE call_requests ALTER COLUMN phase DROP DEFAULT;

  CREATE TRIGGER say_phase_of_new_call BEFORE INSERT ON call_requests
    FOR EACH ROW WHEN (NEW.phase IS NULL) EXECUTE FUNCTION say_phase_of_new_call();
  CREATE TRIGGER say_phase_of_moved_call AFTER UPDATE OF status, phase ON call_requests
    FOR EACH ROW WHEN (NEW.phase <> CASE NEW.status WHEN 'scheduled' THEN -1 WHEN 'queued' THEN 0
      WHEN 'dialing' THEN 1 WHEN 'in_progress' THEN 1 WHEN 'dial_unknown' THEN 1 ELSE 2 END)
    EXECUTE FUNCTION say_phase_of_moved_call()`;
