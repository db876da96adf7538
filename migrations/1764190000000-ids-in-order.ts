import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * New contacts and enrollments have ids of version 7, as calls have: entries that are new in an index are
 * beside each other. A default changes without a look at the rows.
 */
export class IdsInOrder1764190000000 implements MigrationInterface {
  name = 'IdsInOrder1764190000000';

  async up(db: QueryRunner): Promise<void> {
    for (const table of TABLES) await db.query(`ALTER TABLE ${table} ALTER COLUMN id SET DEFAULT uuidv7()`);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await db.query(`ALTER TABLE ${table} ALTER COLUMN id SET DEFAULT gen_random_uuid()`);
    }
  }
}

const TABLES = ['contacts', 'enrollments'];
