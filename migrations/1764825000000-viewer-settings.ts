import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The zone in which a person reads times, and whether the person has disconnected the account at the OpenID provider:
 * the account is then not connected again by its e-mail address alone.
 */
export class ViewerSettings1764825000000 implements MigrationInterface {
  name = 'ViewerSettings1764825000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE users
      ADD COLUMN timezone text,
      ADD COLUMN oidc_disconnected boolean NOT NULL DEFAULT false`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE users DROP COLUMN oidc_disconnected, DROP COLUMN timezone');
  }
}
