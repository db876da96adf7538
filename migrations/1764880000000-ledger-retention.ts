import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The removal of old entries of the suppression ledger has a position, so the function has other parameters. */
export class LedgerRetention1764880000000 implements MigrationInterface {
  name = 'LedgerRetention1764880000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION IF EXISTS delete_old_suppression_entries(integer)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION IF EXISTS delete_old_suppression_entries(timestamptz, bigint, integer)');
  }
}
