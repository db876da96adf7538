import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Whether a team's own key paused it. Only such a pause can be ended by a key. */
export class StopByKey1764600200000 implements MigrationInterface {
  name = 'StopByKey1764600200000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE teams ADD COLUMN paused_by_key boolean NOT NULL DEFAULT false');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE teams DROP COLUMN paused_by_key');
  }
}
