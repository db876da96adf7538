import { Pool } from 'pg';
import {
  type ListSource,
  NO_FILTERS,
  type OperatorCallFilters,
} from '../../src/calls/records/operator-filters.js';
import { listStatement, openCountStatement } from '../../src/calls/records/operator-list.sql.js';
import { FROM_START } from '../../src/lists/newest-first.js';
import { CARRIERS_AWAY } from '../../src/dashboard/overview/needs.sql.js';
import {
  ENDED,
  OVERDUE,
  OVERDUE_COUNT,
  PENDING,
  UNDER_WAY,
  UNKNOWN,
  UPCOMING,
} from '../../src/dashboard/overview/overview.sql.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { fill, SQL } from '../../tools/bench/data.js';
import { indexesOf } from './plan-node.js';

/** Calls of each kind; nearly all of one team, so that another team's figures must not pay for them. */
const CALLS = 8_000;
/** Rows that a statement may count. */
const LIMIT = 500;
/** Rows of its lists, and those beside. */
const FEW = 50;
/** Due calls that the search for carriers reads at most, and the calls that ended within its 10 minutes, one a second. */
const LOOKED_AT = 1_000;
const ENDED_OF_MINUTES = 600;
/** Of the pending calls; nearly all of the larger team. */
const OVERDUE_CALLS = 2_000;

let database: TestDatabase;
let db: Pool;
let small: string;
let now: Date;

beforeAll(async () => {
  database = await createTestDatabase();
  db = new Pool({ connectionString: database.url, max: 1 });
  const group = { firstTeam: 0, teams: 2, firstContact: 0, contacts: 4 * CALLS, calls: 3 * CALLS };
  await fill(db, [group]);
  // The larger team has all but a few.
  await db.query(
    `UPDATE call_requests r SET ended_at = now() - n * interval '1 s'
     FROM (SELECT id, row_number() OVER (ORDER BY phone_number) AS n FROM call_requests) o WHERE o.id = r.id AND n <= $1`,
    [CALLS],
  );
  await db.query(
    `INSERT INTO call_requests (id, team_id, agent_id, contact_id, phone_number, status, accepted_at, runs_at,
       expires_at, woken_at, history)
     SELECT gen_random_uuid(), team_id, CASE team_id WHEN ${SQL.team('0')} THEN ${SQL.agent('0')} ELSE ${SQL.agent('1')} END,
       id, phone_number, 'scheduled', now(), runs_at, runs_at + interval '1 day', now(), '[]'
     FROM (SELECT *, now() + (n - $2::integer) * interval '10 s' AS runs_at
       FROM (SELECT *, row_number() OVER (ORDER BY phone_number DESC) AS n FROM contacts) numbered) c
     WHERE n <= $1 AND (team_id = ${SQL.team('0')} OR n < 60 OR n BETWEEN $2::integer + 1 AND $2::integer + 40)`,
    [2 * CALLS, OVERDUE_CALLS],
  );
  await db.query('VACUUM ANALYZE');
  const { rows } = await db.query<{ now: Date; small: string }>(
    `SELECT now() AS now, ${SQL.team('1')} AS small`,
  );
  ({ now, small } = rows[0] as { now: Date; small: string });
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

/** How the calls were read, and how many of them. */
function readsOf(node: Node): { types: string[]; rows: number } {
  const below = (node.Plans ?? []).map(readsOf);
  const own = node['Relation Name'] === 'call_requests';
  const rows = own ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] : 0;
  return {
    types: [...(own ? [node['Node Type']] : []), ...below.flatMap(({ types }) => types)],
    rows: rows + below.reduce((sum, read) => sum + read.rows, 0),
  };
}

async function planOf({ text, values }: { text: string; values: unknown[] }): Promise<Node> {
  const { rows } = await db.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (plan === undefined) throw new Error('no plan');
  return plan;
}

const startOfDay = () => new Date(now.getTime() - 24 * 3_600_000);
const hours = () => Array.from({ length: 24 }, (_, hour) => new Date(now.getTime() + hour * 3_600_000));

const STATEMENTS: [
  name: string,
  text: string,
  parameters: (team: string | null) => unknown[],
  most: number,
  mostOfTeam?: number,
][] = [
  ['what is overdue', OVERDUE_COUNT, (team) => [now, team], OVERDUE_CALLS, FEW],
  ['the calls that are overdue', OVERDUE, (team) => [now, team], FEW],
  ['what is under way', UNDER_WAY, (team) => [now, team], FEW],
  ['what waits', PENDING, (team) => [now, team, LIMIT], LIMIT],
  ['what is due soon', UPCOMING, (team) => [now, team, hours(), secondsAgo(-86_400), LIMIT], LIMIT],
  ['what ended', ENDED, (team) => [startOfDay(), team, LIMIT], LIMIT],
  ['unknown outcomes', UNKNOWN, (team) => [now, team], FEW],
  [
    'carriers that are away',
    CARRIERS_AWAY,
    (team) => [now, team, 'simulator'],
    LOOKED_AT + ENDED_OF_MINUTES,
    FEW + ENDED_OF_MINUTES,
  ],
];

describe.each(['all teams', 'one team'])('the overview of %s', (of) => {
  test.each(STATEMENTS)(
    '%s: read by an index, and no more than is counted',
    async (_, text, parameters, mostOfAll, mostOfTeam = mostOfAll) => {
      const most = of === 'all teams' ? mostOfAll : mostOfTeam;
      const values = parameters(of === 'all teams' ? null : small);
      const reads = readsOf(await planOf({ text, values }));
      expect(reads.types).not.toContain('Seq Scan');
      expect(reads.rows).toBeLessThanOrEqual(most);
    },
  );
});

const FROM_EARLIEST = { at: '-infinity', key: '00000000-0000-0000-0000-000000000000' };
const CHUNK = 200;
/** Calls that ended within so many seconds, one a second. */
const ENDED_SECONDS = 400;

const LISTS: [
  name: string,
  source: ListSource,
  filters: () => Partial<OperatorCallFilters>,
  index: string,
  most: number,
][] = [
  ['calls of all teams', 'teams', () => ({}), 'ix_call_requests_listing', 4 * (CHUNK / 2 + 1)],
  ['calls of a team', 'team', () => ({ teamId: small }), 'ix_call_requests_listing', FEW + 1],
  [
    'ended calls of a day',
    'ended',
    () => ({ ended: { from: secondsAgo(ENDED_SECONDS), to: now } }),
    'ix_call_requests_ended',
    ENDED_SECONDS,
  ],
  [
    'refusals of a team in a day',
    'ended',
    () => ({
      ended: { from: secondsAgo(ENDED_SECONDS), to: now },
      teamId: small,
      status: 'blocked',
      reason: 'DO_NOT_CALL',
    }),
    'ix_call_requests_ended',
    ENDED_SECONDS,
  ],
  [
    'overdue calls',
    'due',
    () => ({ due: { kind: 'overdue', now, paused: false } }),
    'ix_call_requests_awake',
    OVERDUE_CALLS,
  ],
  [
    'upcoming calls of a team',
    'due',
    () => ({ due: { kind: 'upcoming', now, from: now, to: secondsAgo(-3_600) }, teamId: small }),
    'ix_call_requests_awake',
    400,
  ],
  [
    'the few pending calls of a team',
    'open',
    () => ({ teamId: small, status: 'scheduled' }),
    'ix_call_requests_pending',
    2 * FEW,
  ],
  ['unknown outcomes', 'open', () => ({ status: 'dial_unknown' }), 'ix_call_requests_under_way', FEW],
  ['calls to a number', 'number', () => ({ phoneNumber: number }), 'ix_call_requests_numbers', FEW],
];

const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
let number: string;

describe('the list of operations staff', () => {
  beforeAll(async () => {
    const { rows } = await db.query<{ number: string }>(
      'SELECT phone_number AS number FROM call_requests LIMIT 1',
    );
    number = rows[0]?.number ?? '';
  });

  test.each(LISTS)(
    '%s: reads its index, and few more calls than it shows',
    async (_, source, some, index, most) => {
      const filters = { ...NO_FILTERS, ...some() };
      const after = filters.due === null ? FROM_START : FROM_EARLIEST;
      const plan = await planOf(listStatement(source, filters, { after, limit: FEW, chunk: CHUNK }));
      const reads = readsOf(plan);
      expect(reads.types).not.toContain('Seq Scan');
      expect(indexesOf(plan)).toContain(index);
      expect(reads.rows).toBeLessThanOrEqual(most);
    },
  );

  test('the count that says whether few are pending ends soon', async () => {
    const reads = readsOf(await planOf(openCountStatement({ ...NO_FILTERS, status: 'scheduled' }, LIMIT)));
    expect(reads.types).not.toContain('Seq Scan');
    expect(reads.rows).toBeLessThanOrEqual(LIMIT);
  });
});
