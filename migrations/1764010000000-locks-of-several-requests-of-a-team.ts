import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The locks of a batch in which several requests may be of one team near its plan's limit, or about one
 * number, or carry an `Idempotency-Key`. The repeatable functions `try_locks_of_requests` and
 * `try_locks_of_calls` take them. The functions before these stay for processes of the build before.
 */
export class LocksOfSeveralRequestsOfATeam1764010000000 implements MigrationInterface {
  name = 'LocksOfSeveralRequestsOfATeam1764010000000';

  async up(): Promise<void> {
    // The repeatable scripts create the functions after the migrations.
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION IF EXISTS try_locks_of_requests, try_locks_of_calls');
  }
}
