import { createHash } from 'node:crypto';
import { type Client, Pool } from 'pg';
import { TRIGGER_FACTS } from '../../src/calls/trigger/trigger.sql.js';
import { FIRE_FACTS } from '../../src/calls/fire/fire.sql.js';
import { ENROLLMENT_FACTS } from '../../src/campaigns/engine/facts.sql.js';
import {
  ADD_LIMITED,
  ADD_TO_DO_NOT_CALL,
  FIND_ON_DO_NOT_CALL,
  REMOVE_FROM_DO_NOT_CALL,
} from '../../src/suppression/sql/opt-out.sql.js';
import {
  LIST_LIMITED,
  PLATFORM_SUPPRESSION_HISTORY,
  SUPPRESSION_HISTORY,
} from '../../src/suppression/sql/ledger.sql.js';
import {
  ADD_TO_PLATFORM,
  REMOVE_FROM_PLATFORM,
  TEAMS_OF_NUMBERS,
} from '../../src/suppression/sql/platform.sql.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { fill } from '../../tools/bench/data.js';
import {
  indexesOf,
  type Node,
  parametersOf,
  planningClient,
  planOf,
  readWhole,
} from '../performance/plan-node.js';

/* Lists of a million numbers are looked up by an index. */

const ENTRIES = 1_000_000;
/** Of the lists that are read less often. */
const FEWER = 100_000;
const TEAMS = 5;
const LISTS = ['do_not_call', 'limited_do_not_call', 'platform_do_not_call', 'suppression_entries'];

let database: TestDatabase;
let db: Pool;
let client: Client;
const [own, other] = ['00000000-0000-4000-8000-0000000000aa', '00000000-0000-4000-8000-0000000000bb'];

beforeAll(async () => {
  database = await createTestDatabase();
  db = new Pool({ connectionString: database.url });
  const group = { firstTeam: 0, teams: TEAMS, firstContact: 0, contacts: 10_000, calls: 10_000 };
  await fill(db, [group]);
  client = await planningClient(database.url);
  await db.query(`INSERT INTO teams (id, name) VALUES ($1, 'Own'), ($2, 'Other')`, [own, other]);
  const numbers = (count: number) =>
    `SELECT '+1' || 2000000000 + n AS number FROM generate_series(1, ${count}) AS n`;
  // The triggers would write a million events.
  const load = await db.connect();
  await load.query(`SET session_replication_role = 'replica'`);
  for (const text of [
    `INSERT INTO do_not_call (team_id, phone_number) SELECT '${other}', number FROM (${numbers(ENTRIES)}) n`,
    `INSERT INTO platform_do_not_call (phone_number) SELECT number FROM (${numbers(ENTRIES)}) n`,
    `INSERT INTO limited_do_not_call (team_id, phone_number, scope, effective_from) SELECT '${other}', number, 'team', now() FROM (${numbers(FEWER)}) n`,
    `INSERT INTO suppression_entries (team_id, phone_number, action, scope, source, actor_kind, effective_from)
     SELECT '${other}', number, 'added', 'team', 'import', 'system', now() FROM (${numbers(FEWER)}) n`,
  ]) {
    await load.query(text);
  }
  await load.query('RESET session_replication_role');
  load.release();
  await db.query('UPDATE teams SET has_limited_do_not_call = true WHERE id = $1', [other]);
  await db.query(`VACUUM ANALYZE ${LISTS.join(', ')}, teams`);
}, 600_000);
afterAll(async () => {
  await client.end();
  await db.end();
  await database.drop();
});

test.each(
  [
    TRIGGER_FACTS,
    FIRE_FACTS,
    ENROLLMENT_FACTS,
    ADD_TO_DO_NOT_CALL,
    ADD_LIMITED,
    FIND_ON_DO_NOT_CALL,
    REMOVE_FROM_DO_NOT_CALL,
    LIST_LIMITED,
    SUPPRESSION_HISTORY,
    PLATFORM_SUPPRESSION_HISTORY,
    ADD_TO_PLATFORM,
    REMOVE_FROM_PLATFORM,
  ].map((statement) => [statement.name, statement] as const),
)('%s reads no list as a whole', async (_, { text }) => {
  const read = readWhole(await planOf(client, text, parametersOf(text)));
  expect(read.filter((table) => LISTS.includes(table))).toEqual([]);
});

test('the teams of a number are found by their contacts’ and calls’ indexes', async () => {
  const read = readWhole(await planOf(client, TEAMS_OF_NUMBERS.text));
  expect(read).toEqual(['teams']);
});

interface Executed extends Node {
  'Actual Loops': number;
  Plans?: Executed[];
}

/** How often each index of a list was read by a trigger of the team. */
async function readsOf(team: string): Promise<Record<string, number>> {
  const key = createHash('sha256').update(team).digest();
  await db.query(
    `INSERT INTO api_keys (team_id, name, prefix, key_hash) VALUES ($1, 'K', 'od_live_test', $2)`,
    [team, key],
  );
  const { rows: agents } = await db.query<{ id: string }>(
    `INSERT INTO voice_agents (team_id, name, timezone) VALUES ($1, 'A', 'UTC') RETURNING id`,
    [team],
  );
  await client.query('BEGIN');
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Executed }[] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${TRIGGER_FACTS.text}`,
    [[key], [agents[0]?.id], ['+14155550100'], [null], [null]],
  );
  await client.query('ROLLBACK');
  const found: Record<string, number> = {};
  const visit = (node: Executed): void => {
    const [index] = indexesOf({ ...node, Plans: [] });
    if (index !== undefined) found[index] = (found[index] ?? 0) + node['Actual Loops'];
    for (const child of node.Plans ?? []) visit(child);
  };
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (plan === undefined) throw new Error('no plan');
  visit(plan);
  return Object.fromEntries(Object.entries(found).filter(([index]) => /do_not_call/.test(index)));
}

test('a trigger of a team without limited entries reads the index of its list and that of the platform’s, each once', async () => {
  expect(await readsOf(own)).toEqual({
    pk_do_not_call: 1,
    pk_platform_do_not_call: 1,
    pk_limited_do_not_call: 0,
  });
  expect(await readsOf(other)).toEqual({
    pk_do_not_call: 1,
    pk_platform_do_not_call: 1,
    // Once for each form that a number may have.
    pk_limited_do_not_call: 2,
  });
});
