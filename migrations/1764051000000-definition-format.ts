import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Versions tell whether their definition was validated, and by which format. Those stored before hold anything and call
 * nobody. The column has no default, so that it is added without a scan, and a process of the version before marks nothing.
 */
export class DefinitionFormat1764051000000 implements MigrationInterface {
  name = 'DefinitionFormat1764051000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE campaign_versions ADD COLUMN definition_format smallint');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE campaign_versions DROP COLUMN definition_format');
  }
}
