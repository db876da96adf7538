import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The versions of the zone data that decided something: the one in force and the one before, as far as they are known. */
export class ZoneDataVersions1764890000000 implements MigrationInterface {
  name = 'ZoneDataVersions1764890000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE TABLE zone_data_versions (
      version text NOT NULL,
      content text NOT NULL,
      used_from timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT pk_zone_data_versions PRIMARY KEY (version))`);
    await db.query('GRANT SELECT, INSERT ON zone_data_versions TO outdial_app');
    await db.query(`INSERT INTO zone_data_versions (version, content)
      SELECT version, content FROM platform_settings
      CROSS JOIN LATERAL (VALUES (zone_data_version, zone_data), (zone_data_version_before, zone_data_before))
        AS known (version, content)
      WHERE version IS NOT NULL AND content IS NOT NULL`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE zone_data_versions');
  }
}
