import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The repeatable functions that let each repair of the sweeper run in its own loop and in batches: look-ups
 * of one carrier, old answers counted as they are deleted, wake-ups that count against a call only if they
 * were delivered, and every wake-up that Redis should have. The functions that they replace stay for
 * processes of the version before.
 */
export class RepairsInSets1764050000000 implements MigrationInterface {
  name = 'RepairsInSets1764050000000';

  async up(): Promise<void> {
    // The repeatable scripts create the functions after the migrations.
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(
      'DROP FUNCTION IF EXISTS find_unwoken, wake_again, find_wake_ups, ask_unknown_of, delete_old_answers',
    );
  }
}
