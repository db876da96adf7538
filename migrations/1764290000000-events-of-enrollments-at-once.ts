import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createFunctions } from '../src/database/repeatable.js';

/** The events of new enrollments are written once for a statement, no longer once for a row. */
export class EventsOfEnrollmentsAtOnce1764290000000 implements MigrationInterface {
  name = 'EventsOfEnrollmentsAtOnce1764290000000';

  async up(db: QueryRunner): Promise<void> {
    await createFunctions(db, ['write_events_of_new_enrollments']);
    await db.query('DROP TRIGGER IF EXISTS write_event_of_new_enrollment ON enrollments');
    await db.query(
      `CREATE OR REPLACE TRIGGER write_events_of_new_enrollments AFTER INSERT ON enrollments
         REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION write_events_of_new_enrollments()`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TRIGGER IF EXISTS write_events_of_new_enrollments ON enrollments');
    await db.query(
      `CREATE OR REPLACE TRIGGER write_event_of_new_enrollment AFTER INSERT ON enrollments
         FOR EACH ROW EXECUTE FUNCTION write_enrollment_event()`,
    );
    await db.query('DROP FUNCTION IF EXISTS write_events_of_new_enrollments');
  }
}
