import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What the columns of an imported file are, what is counted of its rows, and the cells of rows that failed. The
 * contacts of an import are kept until it ends, because two rows can be of one contact.
 */
export class ColumnsOfImports1764305000000 implements MigrationInterface {
  name = 'ColumnsOfImports1764305000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `ALTER TABLE imports
         ADD COLUMN mapping json,
         ADD COLUMN strict boolean DEFAULT false NOT NULL,
         ADD COLUMN warned integer DEFAULT 0 NOT NULL,
         ADD COLUMN without_timezone integer DEFAULT 0 NOT NULL,
         ADD COLUMN repeated_numbers integer DEFAULT 0 NOT NULL,
         ADD COLUMN countries jsonb DEFAULT '{}' NOT NULL`,
    );
    await db.query('ALTER TABLE import_results ADD COLUMN failed_rows json, ADD COLUMN endings integer[]');
    await db.query(
      `CREATE INDEX ix_import_results_failed ON import_results (team_id, import_id, first_row) WHERE endings IS NOT NULL`,
    );
    await db.query('GRANT UPDATE ON import_results TO outdial_app');
    await db.query(
      `CREATE TABLE import_contacts (
         import_id uuid NOT NULL,
         contact_id uuid NOT NULL,
         team_id uuid NOT NULL,
         CONSTRAINT pk_import_contacts PRIMARY KEY (import_id, contact_id)
       )`,
    );
    await db.query('GRANT SELECT, INSERT ON import_contacts TO outdial_app');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE import_contacts');
    await db.query('REVOKE UPDATE ON import_results FROM outdial_app');
    await db.query('DROP INDEX ix_import_results_failed');
    await db.query('ALTER TABLE import_results DROP COLUMN endings, DROP COLUMN failed_rows');
    await db.query(
      `ALTER TABLE imports
         DROP COLUMN countries,
         DROP COLUMN repeated_numbers,
         DROP COLUMN without_timezone,
         DROP COLUMN warned,
         DROP COLUMN strict,
         DROP COLUMN mapping`,
    );
  }
}
