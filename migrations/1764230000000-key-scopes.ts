import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * API keys can be limited to scopes and in time, and show when they were last used. Columns without a default
 * rewrite no row.
 */
export class KeyScopes1764230000000 implements MigrationInterface {
  name = 'KeyScopes1764230000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE api_keys
        ADD COLUMN scopes text[],
        ADD COLUMN expires_at timestamptz,
        ADD COLUMN last_used_at timestamptz`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION IF EXISTS note_key_uses, known_keys, key_is_live, is_ahead');
    await db.query(
      'ALTER TABLE api_keys DROP COLUMN scopes, DROP COLUMN expires_at, DROP COLUMN last_used_at',
    );
  }
}
