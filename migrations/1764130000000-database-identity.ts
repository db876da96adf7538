import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * By this row, a process detects that its database was restored from a backup. The first process that starts
 * fills it.
 */
export class DatabaseIdentity1764130000000 implements MigrationInterface {
  name = 'DatabaseIdentity1764130000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `CREATE TABLE database_identity (
         id boolean NOT NULL DEFAULT true CONSTRAINT pk_database_identity PRIMARY KEY,
         system_identifier text,
         database_oid text NOT NULL,
         timeline integer,
         restored_at timestamptz,
         newest_row_at timestamptz,
         CONSTRAINT ck_database_identity_one_row CHECK (id))`,
    );
    await db.query('GRANT SELECT ON database_identity TO outdial_app');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP FUNCTION IF EXISTS ${FUNCTIONS.join(', ')}`);
    await db.query('DROP TABLE database_identity');
  }
}

/** Repeatable functions that came with the table. */
const FUNCTIONS = ['check_database_identity', 'hold_restored_calls', 'count_restored_calls'];
