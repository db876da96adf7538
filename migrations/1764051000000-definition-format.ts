import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * `definition_format` says which format validated the definition. Null: the version was stored before
 * definitions were validated, and places no calls. Without a default the column is added without a scan, and
 * earlier builds leave it null.
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
