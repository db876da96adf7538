import { type MigrationInterface, type QueryRunner } from 'typeorm';

const INDEXES = {
  ix_contacts_name: 'contacts (team_id, lower(name) text_pattern_ops) WHERE name IS NOT NULL',
  ix_contacts_last_digits:
    'contacts (team_id, reverse(phone_number) text_pattern_ops) WHERE erased_at IS NULL',
  ix_voice_agents_name: 'voice_agents (team_id, lower(name) text_pattern_ops) WHERE deleted_at IS NULL',
  ix_campaigns_name: 'campaigns (team_id, lower(name) text_pattern_ops)',
};

/**
 * What the search of the dashboard reads: names by their beginning, and numbers by their end. The indexes are built
 * concurrently, so outside a transaction.
 */
export class Search1764820000000 implements MigrationInterface {
  name = 'Search1764820000000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) {
      // A failed run may have left an invalid index.
      await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await db.query(`CREATE INDEX CONCURRENTLY ${name} ON ${definition}`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await db.query(`DROP INDEX IF EXISTS ${name}`);
  }
}
