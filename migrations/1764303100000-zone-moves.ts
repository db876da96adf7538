import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The version of the zone data by which all pending calls and enrollments have been decided. */
export class ZoneMoves1764303100000 implements MigrationInterface {
  name = 'ZoneMoves1764303100000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE platform_settings ADD COLUMN zone_data_moved text');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION IF EXISTS count_unknown_zones');
    await db.query('DROP FUNCTION IF EXISTS finish_zone_moves');
    await db.query('DROP FUNCTION IF EXISTS find_calls_of_zones');
    await db.query('DROP FUNCTION IF EXISTS decide_enrollments_of_zones');
    await db.query('ALTER TABLE platform_settings DROP COLUMN zone_data_moved');
  }
}
