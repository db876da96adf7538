import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createTriggerFunctions } from '../src/database/repeatable.js';

/**
 * The event of a call's first report of an answer. The condition is part of the trigger, so other transitions
 * pay only for one comparison. By its name, the trigger runs before the one of the end.
 */
export class CallAnswered1764600300000 implements MigrationInterface {
  name = 'CallAnswered1764600300000';

  async up(db: QueryRunner): Promise<void> {
    await createTriggerFunctions(db);
    await db.query(
      `CREATE TRIGGER write_event_of_answered_call AFTER UPDATE OF answered_at ON call_requests FOR EACH ROW
       WHEN (OLD.answered_at IS NULL AND NEW.answered_at IS NOT NULL)
       EXECUTE FUNCTION write_call_event('answered')`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TRIGGER write_event_of_answered_call ON call_requests');
  }
}
