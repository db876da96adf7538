import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Serves the lists that a team reads with its key. Built without keeping writers out, which no transaction
 * can do.
 */
export class TeamLists1764200000000 implements MigrationInterface {
  name = 'TeamLists1764200000000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    for (const [name, definition] of INDEXES) {
      await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await db.query(`CREATE INDEX CONCURRENTLY ${name} ON ${definition}`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const [name] of INDEXES) await db.query(`DROP INDEX IF EXISTS ${name}`);
  }
}

const INDEXES = [
  ['ix_call_requests_agent', 'call_requests (agent_id, accepted_at, id)'],
  ['ix_contacts_listing', 'contacts (team_id, created_at, id)'],
  ['ix_contacts_email', 'contacts (team_id, email) WHERE email IS NOT NULL'],
  ['ix_do_not_call_listing', 'do_not_call (team_id, created_at, phone_number)'],
] as const;
