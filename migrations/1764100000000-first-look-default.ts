import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Every enrollment is decided by the engine, whichever build wrote it: one that does not know `look_at` gets
 * the default. The engine clears it where the version places no calls.
 */
export class FirstLookDefault1764100000000 implements MigrationInterface {
  name = 'FirstLookDefault1764100000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE enrollments ALTER COLUMN look_at SET DEFAULT now()');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE enrollments ALTER COLUMN look_at DROP DEFAULT');
  }
}
