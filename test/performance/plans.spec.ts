import { type Client, Pool } from 'pg';
import {
  LOCK_NUMBER_OF_CALL,
  LOCK_NUMBER_OF_KEY,
  LOCK_TEAM_OF_CALL,
  LOCK_TEAM_OF_KEY,
  TRY_LOCKS_OF_CALLS,
  TRY_LOCKS_OF_REQUESTS,
} from '../../src/dialing/facts/locks.sql.js';
import { END_PENDING } from '../../src/dialing/outcome/end-pending.sql.js';
import { FIRE_FACTS, PUT_OFF, RESCHEDULE } from '../../src/calls/fire/fire.sql.js';
import { CLAIM } from '../../src/dialing/claim/claim.sql.js';
import {
  OFFER_CONCURRENCY_SLOTS,
  WAIT_FOR_CONCURRENCY_SLOT,
} from '../../src/dialing/concurrency-slots/concurrency-slots.sql.js';
import {
  APPLY_TRANSITIONS,
  FAIL_UNDIALED,
  NOTE_ANSWER,
  REQUEUE,
} from '../../src/dialing/outcome/transitions.sql.js';
import { CALL_BRIEFING } from '../../src/calls/reports/live-call.sql.js';
import { FIND_CALL } from '../../src/calls/records/read.sql.js';
import { ACCESS, STORE_CALLS, TRIGGER_FACTS } from '../../src/calls/trigger/trigger.sql.js';
import { ENROLLMENT_FACTS, VERSIONS_OF_ENROLLMENTS } from '../../src/campaigns/engine/facts.sql.js';
import { CHANGE_ENROLLMENTS, CLAIM_DIALS } from '../../src/campaigns/engine/persist.sql.js';
import { CREATE_CONTACT, UPSERT_CONTACT } from '../../src/contacts/sql/store.sql.js';
import { type Statement } from '../../src/database/transactions.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { fill, SQL } from '../../tools/bench/data.js';
import { triggerFloor } from '../../tools/bench/floors.js';
import { indexesOf, type Node, planningClient, planOf, readWhole } from './plan-node.js';

// Enough for Postgres to prefer an index wherever there is one.
const TEAMS = 50;
const CONTACTS = 30_000;
/** What a sequential scan of grows with the customers' data. */
const BIG = [
  'call_requests',
  'contacts',
  'enrollments',
  'idempotency_keys',
  'do_not_call',
  'whitelist',
  'plan_usage',
];

let database: TestDatabase;
let db: Pool;
let client: Client;
/** By statement, made while statistics knew of no call that waits. */
const plansOfMorning = new Map<string, Node>();
/** Statements that look for other calls of the number or the team. */
const ABOUT_OTHERS = [
  TRIGGER_FACTS,
  FIRE_FACTS,
  OFFER_CONCURRENCY_SLOTS,
  { name: 'the benchmark’s floor', text: triggerFloor(TEAMS) },
];

/** Statements that know the ids of their calls. */
const BY_ID = [
  CLAIM,
  RESCHEDULE,
  END_PENDING,
  WAIT_FOR_CONCURRENCY_SLOT,
  APPLY_TRANSITIONS,
  NOTE_ANSWER,
  FAIL_UNDIALED,
  REQUEUE,
  PUT_OFF,
];

beforeAll(async () => {
  database = await createTestDatabase();
  db = new Pool({ connectionString: database.url });
  const group = { firstTeam: 0, teams: TEAMS, firstContact: 0, contacts: CONTACTS, calls: CONTACTS };
  await fill(db, [group]);
  client = await planningClient(database.url);
  await db.query(`UPDATE teams SET max_concurrent_calls = 5, monthly_call_limit = 1000000`);
  // Some of every kind: due, far off, waiting for a concurrency slot, under way.
  await db.query(
    `UPDATE call_requests SET status = 'queued', ended_at = NULL, claimed_at = NULL, processed_at = NULL, caller_id = NULL,
       runs_at = now() - random() * interval '1 hour', woken_at = now() - interval '2 minutes', expires_at = now() + interval '1 day',
       waiting_since = CASE WHEN random() < 0.5 THEN now() END
     WHERE id IN (SELECT id FROM call_requests LIMIT 6000)`,
  );
  for (const { name, text } of [...ABOUT_OTHERS, ...BY_ID]) {
    plansOfMorning.set(name, await planOf(client, text));
  }
  await db.query(`UPDATE call_requests SET status = 'in_progress', ended_at = NULL
    WHERE id IN (SELECT id FROM call_requests WHERE status = 'completed' LIMIT 300)`);
  await db.query(
    `INSERT INTO do_not_call (team_id, phone_number) SELECT team_id, phone_number FROM contacts LIMIT 5000`,
  );
  await db.query(
    `INSERT INTO whitelist (team_id, phone_number) SELECT team_id, phone_number FROM contacts LIMIT 5000`,
  );
  await db.query(
    `INSERT INTO plan_usage (team_id, month, used)
     SELECT id, (date_trunc('month', now()) - n * interval '1 month')::date, 5 FROM teams, generate_series(0, 60) AS n`,
  );
  await db.query(
    `INSERT INTO idempotency_keys (team_id, key, fingerprint, status, body, created_at)
     SELECT (SELECT id FROM teams LIMIT 1), n, decode(repeat('00', 32), 'hex'), 200, '{}', now() - n * interval '1 minute'
     FROM generate_series(1, 20000) n`,
  );
  await db.query(
    `WITH one AS (SELECT team_id, gen_random_uuid() AS id, gen_random_uuid() AS version FROM contacts LIMIT 1),
       campaign AS (INSERT INTO campaigns (id, team_id, name, status, current_version_id) SELECT id, team_id, 'C', 'active', version FROM one),
       published AS (INSERT INTO campaign_versions (id, team_id, campaign_id, number, status, published_at) SELECT version, team_id, id, 1, 'published', now() FROM one)
     INSERT INTO enrollments (team_id, campaign_id, contact_id, version_id) SELECT team_id, one.id, c.id, version FROM contacts c JOIN one USING (team_id)`,
  );
  await db.query('VACUUM ANALYZE');
});
afterAll(async () => {
  await client.end();
  await db.end();
  await database.drop();
});

function scannedWhole(node: Node): string[] {
  return readWhole(node).filter((table) => BIG.includes(table));
}

const HOT: Statement[] = [
  TRY_LOCKS_OF_REQUESTS,
  LOCK_NUMBER_OF_KEY,
  LOCK_TEAM_OF_KEY,
  ACCESS,
  TRIGGER_FACTS,
  STORE_CALLS,
  TRY_LOCKS_OF_CALLS,
  LOCK_NUMBER_OF_CALL,
  LOCK_TEAM_OF_CALL,
  FIRE_FACTS,
  CLAIM,
  RESCHEDULE,
  END_PENDING,
  WAIT_FOR_CONCURRENCY_SLOT,
  OFFER_CONCURRENCY_SLOTS,
  APPLY_TRANSITIONS,
  FAIL_UNDIALED,
  FIND_CALL,
  ENROLLMENT_FACTS,
  VERSIONS_OF_ENROLLMENTS,
  CHANGE_ENROLLMENTS,
  CLAIM_DIALS,
  CREATE_CONTACT.contactOnly,
  CREATE_CONTACT.enrolling,
  UPSERT_CONTACT.contactOnly,
  UPSERT_CONTACT.keyed,
  UPSERT_CONTACT.enrolling,
];

test.each(HOT.map((statement) => [statement.name, statement] as const))(
  '%s scans no large table',
  async (_, { text }) => {
    expect(scannedWhole(await planOf(client, text))).toEqual([]);
  },
);

/** The bodies of the functions that cross teams, as statements of their own. */
test.each([
  [
    'team_of_key',
    'SELECT k.team_id FROM api_keys k WHERE k.key_hash = $1 AND key_is_live(k.revoked_at, k.expires_at)',
    1,
  ],
  ['team_of_call', 'SELECT r.team_id FROM call_requests r WHERE r.id = $1', 1],
])('%s scans no large table', async (_, text, parameters) => {
  expect(scannedWhole(await planOf(client, text, parameters))).toEqual([]);
});

test.each([
  [
    'find_unwoken',
    ['grace_ms', 'after_runs_at', 'after_id', 'batch'],
    ['10000', `'epoch'`, `'${'0'.repeat(32)}'`, '500'],
  ],
  [
    'find_expired_behind',
    ['after_expires_at', 'after_id', 'batch'],
    [`'epoch'`, `'${'0'.repeat(32)}'`, '500'],
  ],
  ['find_teams_with_free_concurrency_slots', ['unknown_ms', 'batch'], ['1000', '100']],
  ['mark_unknown', ['dialing_ms', 'in_progress_ms', 'batch'], ['1000', '1000000', '500']],
  ['ask_unknown_of', ['carrier_name', 'grace_ms', 'batch'], [`'simulator'`, '1000', '20']],
  ['find_wake_ups', ['after_runs_at', 'after_id', 'batch'], [`'epoch'`, `'${'0'.repeat(32)}'`, '500']],
  ['remove_old_answers', ['since', 'batch'], [`'-infinity'::timestamptz`, '2000']],
  ['teams_with_old_calls', ['after_team', 'batch'], [`'${'0'.repeat(32)}'`, '1000']],
  [
    'remove_ended_calls',
    ['team', 'after_accepted_at', 'after_id', 'batch'],
    [`'${'0'.repeat(32)}'::uuid`, `'-infinity'::timestamptz`, `'${'0'.repeat(32)}'::uuid`, '500'],
  ],
])('the sweeper’s %s scans no large table', async (name, names, values) => {
  const { rows } = await db.query<{ body: string }>('SELECT prosrc AS body FROM pg_proc WHERE proname = $1', [
    name,
  ]);
  let text = rows[0]?.body ?? '';
  for (const [index, parameter] of names.entries()) {
    text = text.replaceAll(new RegExp(`\\b${parameter}\\b`, 'g'), values[index] ?? '');
  }
  expect(scannedWhole(await planOf(client, text, 0))).toEqual([]);
});

// Statistics come a minute late, and until then one partial index seems as good as another.
test.each(ABOUT_OTHERS.map(({ name }) => name))('%s reads only calls of its number or team', (name) => {
  const plan = plansOfMorning.get(name);
  const indexes = plan === undefined ? [] : indexesOf(plan);
  expect(indexes.some((index) => index.startsWith('ix_call_requests_'))).toBe(true);
  for (const acrossTeams of ['awake', 'ended']) {
    expect(indexes).not.toContain(`ix_call_requests_${acrossTeams}`);
  }
});

test.each(BY_ID.map(({ name }) => name))('%s finds its calls by their ids', (name) => {
  const plan = plansOfMorning.get(name);
  const indexes =
    plan === undefined ? [] : indexesOf(plan).filter((index) => index.includes('call_requests'));
  expect(new Set(indexes)).toEqual(new Set(['pk_call_requests']));
});

test.each([FIND_CALL, CALL_BRIEFING, REQUEUE])(
  '$name plans the partition of its call’s month only',
  async ({ text }) => {
    const plan = JSON.stringify(await planOf(client, text));
    expect(plan).toContain('"Subplans Removed":13');
    expect(plan).not.toContain('"call_details_');
  },
);

test.each([TRIGGER_FACTS, FIRE_FACTS])('$name looks up each number separately', ({ name }) => {
  const plan = plansOfMorning.get(name);
  // The platform's settings are one row.
  expect(plan && readWhole(plan)).toEqual(name === FIRE_FACTS.name ? ['platform_settings'] : []);
});

test('a statement that must scan a large table is detected', async () => {
  const text = `SELECT count(*) FROM contacts WHERE company_name = ${SQL.phone('0')}`;
  expect(scannedWhole(await planOf(client, text, 0))).toEqual(['contacts']);
});
