import { FIRE_FACTS } from '../../src/calls/fire/fire.sql.js';
import { TRIGGER_FACTS } from '../../src/calls/trigger/trigger.sql.js';
import { ENROLLMENT_FACTS } from '../../src/campaigns/engine/facts.sql.js';
import { RESTRICTED_ROLE } from '../../src/database/restricted-role.js';
import { createTestDatabase } from '../support/database.js';
import { indexesOf, planningClient, planOf } from './plan-node.js';

/*
 * A process that starts with an empty database keeps the plans of that moment until there are statistics. The
 * role sees the rows of its team, and the policy's condition leads to every index of a team.
 */
test.each([TRIGGER_FACTS, FIRE_FACTS, ENROLLMENT_FACTS])(
  '$name looks for calls by their number also where there are none',
  async ({ text }) => {
    const database = await createTestDatabase();
    const client = await planningClient(database.url);
    await client.query(`SET ROLE ${RESTRICTED_ROLE}`);
    const indexes = indexesOf(await planOf(client, text));
    await client.end();
    await database.drop();
    expect(indexes).toContain('ix_call_requests_numbers');
    expect(indexes).not.toContain('ix_call_requests_listing');
  },
);

const LIVE = 20_000;

test.each(['end_archived_enrollments'])(
  '%s reads no enrollments where none is to be changed, also with the plan of an emptied table',
  async (name) => {
    const database = await createTestDatabase();
    const client = await planningClient(database.url);
    const call = { name, text: `SELECT ${name}(500)` };
    await client.query('ALTER TABLE enrollments SET (autovacuum_enabled = off)');
    await client.query('VACUUM ANALYZE enrollments');
    await client.query(call);
    await client.query(
      `WITH team AS (INSERT INTO teams (name, timezone) VALUES ('T', 'UTC') RETURNING id),
         campaign AS (
           INSERT INTO campaigns (id, team_id, name, status, current_version_id)
           SELECT gen_random_uuid(), id, 'C', 'active', gen_random_uuid() FROM team RETURNING *),
         version AS (
           INSERT INTO campaign_versions (id, team_id, campaign_id, number, status, published_at)
           SELECT current_version_id, team_id, id, 1, 'published', now() FROM campaign),
         contact AS (
           INSERT INTO contacts (team_id, phone_number)
           SELECT id, '+1646' || 2000000 + n FROM team, generate_series(1, $1::integer) AS n RETURNING id)
       INSERT INTO enrollments (team_id, campaign_id, version_id, contact_id)
       SELECT p.team_id, p.id, p.current_version_id, contact.id FROM campaign p, contact`,
      [LIVE],
    );
    const rowsRead = async () => {
      await client.query('SELECT pg_stat_force_next_flush()');
      const { rows } = await client.query<{ rows: number }>(
        `SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS rows FROM pg_stat_user_tables WHERE relname = 'enrollments'`,
      );
      return rows[0]?.rows ?? NaN;
    };
    const before = await rowsRead();
    await client.query(call);
    const read = (await rowsRead()) - before;
    await client.end();
    await database.drop();
    expect(read).toBeLessThan(100);
  },
);
