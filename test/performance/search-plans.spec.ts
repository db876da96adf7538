import { randomUUID } from 'node:crypto';
import { type Client } from 'pg';
import { LOOK_UPS, type LookUp, type Scope } from '../../src/dashboard/search/search.sql.js';
import { fill, SQL } from '../../tools/bench/data.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type Node, planningClient } from './plan-node.js';
import { Pool } from 'pg';

/** Rows of a team in each table. */
const ROWS = 20_000;
/** Rows that a look-up may read of each team. */
const MOST = 21;
const TEAMS = 2;

let database: TestDatabase;
let db: Client;
let team: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const pool = new Pool({ connectionString: database.url, max: 1 });
  await fill(pool, [{ firstTeam: 0, teams: TEAMS, firstContact: 0, contacts: ROWS, calls: ROWS }]);
  await pool.query(
    `UPDATE contacts SET name = 'Person ' || phone_number, email = phone_number || '@example.com', external_id = phone_number`,
  );
  await pool.query(
    `INSERT INTO voice_agents (team_id, name, timezone) SELECT ${SQL.team('0')}, 'Agent ' || n, 'UTC' FROM generate_series(1, $1::integer) n`,
    [ROWS],
  );
  await pool.query(
    `WITH versions AS (
       INSERT INTO campaign_versions (id, team_id, campaign_id, number, status, published_at)
       SELECT md5('v' || n)::uuid, ${SQL.team('0')}, md5('c' || n)::uuid, 1, 'published', now() FROM generate_series(1, $1::integer) n
     )
     INSERT INTO campaigns (id, team_id, name, status, current_version_id)
     SELECT md5('c' || n)::uuid, ${SQL.team('0')}, 'Campaign ' || n, 'active', md5('v' || n)::uuid FROM generate_series(1, $1::integer) n`,
    [ROWS],
  );
  await pool.query(
    `INSERT INTO do_not_call (team_id, phone_number) SELECT team_id, phone_number FROM contacts ORDER BY phone_number LIMIT 1000`,
  );
  await pool.query('VACUUM ANALYZE');
  const { rows } = await pool.query<{ team: string }>(`SELECT ${SQL.team('0')} AS team`);
  team = rows[0]?.team ?? '';
  await pool.end();
  db = await planningClient(database.url);
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

interface Measured extends Node {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Measured[];
}

/** What was read of tables other than teams: how, and how many rows. */
function readsOf(node: Measured): { types: string[]; rows: number } {
  const below = (node.Plans ?? []).map(readsOf);
  const table = node['Relation Name'];
  const own = table !== undefined && table !== 'teams';
  const rows = own ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] : 0;
  return {
    types: [...(own ? [node['Node Type']] : []), ...below.flatMap(({ types }) => types)],
    rows: rows + below.reduce((sum, read) => sum + read.rows, 0),
  };
}

const SOUGHT: Record<LookUp, string | string[]> = {
  contactById: randomUUID(),
  callById: randomUUID(),
  campaignById: randomUUID(),
  agentById: randomUUID(),
  enrollmentById: randomUUID(),
  importById: randomUUID(),
  contactsByNumber: ['+12122200010'],
  contactsByLastDigits: '01000',
  contactsByEmail: ['+12122200010@example.com'],
  contactsByExternalId: '+12122200010',
  contactsByName: 'PERSON',
  campaignsByName: 'campaign 1',
  agentsByName: 'agent 1',
  numbers: ['+12122200010', '+12122299999'],
};

describe.each(['team', 'platform'] as Scope[])('a search of the %s', (scope) => {
  test.each(Object.keys(SOUGHT) as LookUp[])(
    '%s: read by an index, and no more than is shown',
    async (lookUp) => {
      const { rows } = await db.query<{ 'QUERY PLAN': { Plan: Measured }[] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${LOOK_UPS[lookUp](scope)}`,
        [scope === 'team' ? team : null, SOUGHT[lookUp]],
      );
      const reads = readsOf(rows[0]?.['QUERY PLAN'][0]?.Plan as Measured);
      expect(reads.types).not.toContain('Seq Scan');
      // A contact, a call and an entry of the list for each number, where numbers are sought.
      expect(reads.rows).toBeLessThanOrEqual(TEAMS * MOST * (lookUp === 'numbers' ? 3 : 1));
    },
  );
});
