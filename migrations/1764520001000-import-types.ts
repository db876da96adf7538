import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Imports of numbers that are not to be called. A process of the previous version takes none of them. */
export class ImportTypes1764520001000 implements MigrationInterface {
  name = 'ImportTypes1764520001000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE imports ADD COLUMN type text NOT NULL DEFAULT 'contacts',
      ADD CONSTRAINT ck_imports_type CHECK (type IN ('contacts', 'suppressions'))`);
  }

  /** The imports of numbers that have not ended are canceled. */
  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION IF EXISTS take_suppressions(interval)');
    await db.query(`UPDATE imports SET status = 'canceled', finished_at = now(), leased_until = NULL
      WHERE type <> 'contacts' AND finished_at IS NULL`);
    await db.query('ALTER TABLE imports DROP COLUMN type');
  }
}
