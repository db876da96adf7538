import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The version of the zone data in force, which only goes forward, and the data themselves. */
export class ZoneData1764303000000 implements MigrationInterface {
  name = 'ZoneData1764303000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `ALTER TABLE platform_settings
         ADD COLUMN zone_data_version text,
         ADD COLUMN zone_data_since timestamptz,
         ADD COLUMN zone_data text,
         ADD COLUMN zone_data_version_before text,
         ADD COLUMN zone_data_before text`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION IF EXISTS advance_zone_data');
    await db.query(
      `ALTER TABLE platform_settings
         DROP COLUMN zone_data_version, DROP COLUMN zone_data_since, DROP COLUMN zone_data,
         DROP COLUMN zone_data_version_before, DROP COLUMN zone_data_before`,
    );
  }
}
