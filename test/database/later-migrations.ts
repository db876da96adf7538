import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../src/database/migrations.js';

/* Migrations as a later version may add them beside those of the product. */

/** Alters `teams` in a transaction. */
export class AltersTeams4000000000001 implements MigrationInterface {
  name = 'AltersTeams4000000000001';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE teams ADD COLUMN motto text');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE teams DROP COLUMN motto');
  }
}

/** Builds an index concurrently, so outside a transaction. What a failed run left half-built goes first. */
export class BuildsAnIndex4000000000002 implements MigrationInterface {
  name = 'BuildsAnIndex4000000000002';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX CONCURRENTLY IF EXISTS ix_enrollments_source');
    await db.query('CREATE INDEX CONCURRENTLY ix_enrollments_source ON enrollments (campaign_id, source)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX IF EXISTS ix_enrollments_source');
  }
}

/** Fails after its first statement. */
export class Fails4000000000003 implements MigrationInterface {
  name = 'Fails4000000000003';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE teams ADD COLUMN song text');
    await db.query('ALTER TABLE whitelist ADD COLUMN team_id uuid');
  }

  async down(): Promise<void> {}
}

export const LATER = [MIGRATIONS, AltersTeams4000000000001, BuildsAnIndex4000000000002];
