import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Calls say their phase. The column is added without a rewrite: rows of before read as ended, which nearly all are; the next migration
 * corrects the others. Triggers say the phase for processes of the version before.
 */
export class CallPhases1764120000000 implements MigrationInterface {
  name = 'CallPhases1764120000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(ADD_PHASE);
    // Space for the next versions of a row beside it.
    await db.query('ALTER TABLE call_requests SET (fillfactor = 70)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(
      `ALTER TABLE call_requests RESET (fillfactor);
       DROP TRIGGER say_phase_of_new_call ON call_requests;
       DROP TRIGGER say_phase_of_moved_call ON call_requests;
       DROP FUNCTION say_phase_of_new_call, say_phase_of_moved_call;
       DROP FUNCTION IF EXISTS new_call_id;
       ALTER TABLE call_requests DROP COLUMN phase`,
    );
  }
}

/** SQL: the phase of a status. */
const phaseOf = (status: string) =>
  `CASE ${status} WHEN 'scheduled' THEN -1 WHEN 'queued' THEN 0
     WHEN 'dialing' THEN 1 WHEN 'in_progress' THEN 1 WHEN 'dial_unknown' THEN 1 ELSE 2 END`;

/** The second trigger runs behind the statement, so that a statement that says the phase pays for a comparison alone. */
const ADD_PHASE = `
  ALTER TABLE call_requests ADD COLUMN phase smallint NOT NULL DEFAULT 2;
  ALTER TABLE call_requests ALTER COLUMN phase DROP DEFAULT;

  CREATE FUNCTION say_phase_of_new_call() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    NEW.phase := ${phaseOf('NEW.status')};
    RETURN NEW;
  END $$;
  CREATE TRIGGER say_phase_of_new_call BEFORE INSERT ON call_requests
    FOR EACH ROW WHEN (NEW.phase IS NULL) EXECUTE FUNCTION say_phase_of_new_call();

  CREATE FUNCTION say_phase_of_moved_call() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$ BEGIN
    UPDATE call_requests r SET phase = ${phaseOf('r.status')} WHERE r.id = NEW.id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER say_phase_of_moved_call AFTER UPDATE OF status, phase ON call_requests
    FOR EACH ROW WHEN (NEW.phase <> ${phaseOf('NEW.status')}) EXECUTE FUNCTION say_phase_of_moved_call();

  REVOKE EXECUTE ON FUNCTION say_phase_of_new_call, say_phase_of_moved_call FROM PUBLIC`;
