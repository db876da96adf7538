import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** When the end of a call in progress was requested, so that the carrier's final report is attributed to it. */
export class HangUp1764600100000 implements MigrationInterface {
  name = 'HangUp1764600100000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE call_requests ADD COLUMN hang_up_requested_at timestamptz');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE call_requests DROP COLUMN hang_up_requested_at');
  }
}
