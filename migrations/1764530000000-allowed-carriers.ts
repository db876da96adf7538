import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The carriers that a team's key may name for its voice agents. Null: all. */
export class AllowedCarriers1764530000000 implements MigrationInterface {
  name = 'AllowedCarriers1764530000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE teams ADD COLUMN allowed_carriers text[]');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE teams DROP COLUMN allowed_carriers');
  }
}
