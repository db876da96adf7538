import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { withActor } from '../../src/database/actor.js';
import {
  buildAgent,
  buildApiKey,
  buildImport,
  buildPool,
  buildPhoneNumber,
  buildTeam,
  insertRow,
} from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let db: DataSource;
let team: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
  team = (await buildTeam(db)).id;
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

interface Row {
  action: string;
  target_id: string | null;
  before: object | null;
  after: object | null;
}

async function written(work: () => Promise<unknown>): Promise<Row[]> {
  const [last] = await db.query<{ id: string }[]>('SELECT coalesce(max(id), 0) AS id FROM audit_log');
  await work();
  return db.query<Row[]>('SELECT action, target_id, before, after FROM audit_log WHERE id > $1 ORDER BY id', [
    last?.id,
  ]);
}

/** Tables whose changes have no row of their own, and why. */
const EXCEPTED: Record<string, string> = {
  audit_log: 'the log itself',
  call_details: 'calls and events tell it',
  call_requests: 'calls and events tell it',
  call_results: 'calls and events tell it',
  campaign_count_changes: 'counts',
  campaign_counts: 'counts',
  campaign_states: 'what campaigns have come to',
  consent_endings: 'a revocation has a row of its consent, and an opt-out one of the list',
  contacts: 'contract traffic; an erasure has a row',
  carrier_account_turns: 'when a worker may dial again',
  database_identity: 'of the restore check',
  enrollment_dials: 'calls and events tell it',
  enrollments: 'contract traffic; a person’s change has a row',
  erasure_key: 'only a check value',
  event_batches: 'events',
  event_gaps: 'events',
  event_sequences: 'events',
  events: 'events',
  idempotency_keys: 'answers for a day',
  import_chunks: 'the import has a row',
  import_contacts: 'the import has a row',
  import_results: 'the import has a row',
  migrations: 'of the schema',
  pack_versions: 'what the processes were started with',
  zone_data_versions: 'what the processes were started with',
  plan_usage: 'counts',
  platform_erasures: 'the erasure has a row',
  register_numbers: 'the version has a row',
  repeatable_scripts: 'of the schema',
  sessions: 'sign-ins have rows',
  suppression_entries: 'the ledger itself; the lists have rows',
  sweeper_runs: 'of the workers',
  webhook_deliveries: 'sent by workers; a retry has a row',
};

test('every table has triggers of the audit log, or is excepted with a reason', async () => {
  const tables = await db.query<{ name: string; events: number }[]>(
    `SELECT c.relname AS name, (SELECT bit_or(t.tgtype)::integer & 28 FROM pg_trigger t
       JOIN pg_proc p ON p.oid = t.tgfoid AND p.proname IN ('audit_change', 'audit_list_change')
       WHERE t.tgrelid = c.oid) AS events
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
  );
  // Insert, delete and update.
  const silent = tables.filter(({ events }) => events !== 28).map(({ name }) => name);
  expect(silent.sort()).toEqual(Object.keys(EXCEPTED).sort());
});

test('a row has the fields that changed, and of secret and personal ones the names', async () => {
  const { id } = await buildAgent(db, team, {
    prompt_template: 'old',
    carrier_settings: { token: 'hidden' },
  });
  const rows = await written(() =>
    db.query(
      `UPDATE voice_agents SET prompt_template = 'new', carrier_settings = '{"token":"other"}' WHERE id = $1`,
      [id],
    ),
  );
  expect(rows).toEqual([
    {
      action: 'voice_agent.changed',
      target_id: id,
      before: { prompt_template: 'old', carrier_settings: 'withheld' },
      after: { prompt_template: 'new', carrier_settings: 'withheld' },
    },
  ]);
});

test('of an object in a field, only what changed is told; of a URL, only the host', async () => {
  const hours = (end: string) =>
    JSON.stringify({ monday: [{ start: '09:00', end: '17:00' }], friday: [{ start: '09:00', end }] });
  const { id } = await buildAgent(db, team, { calling_hours: hours('12:00') });
  const [row] = await written(() =>
    db.query('UPDATE voice_agents SET calling_hours = $2 WHERE id = $1', [id, hours('13:00')]),
  );
  expect(row?.after).toEqual({ calling_hours: { friday: [{ start: '09:00', end: '13:00' }] } });
  const [endpoint] = await written(() =>
    insertRow(db, 'webhook_endpoints', {
      team_id: team,
      url: 'https://hooks.example.com:8443/services/T0KEN?secret=1',
      secret: 'whsec_1',
    }),
  );
  expect(endpoint?.after).toMatchObject({ url: 'https://hooks.example.com:8443', secret: 'withheld' });
});

test('bookkeeping alone writes nothing', async () => {
  const key = await buildApiKey(db, team);
  const imported = await buildImport(db, team);
  const rows = await written(async () => {
    await db.query('UPDATE api_keys SET last_used_at = now() WHERE id = $1', [key.id]);
    await db.query('UPDATE teams SET has_erased_numbers = true, name = name WHERE id = $1', [team]);
    await db.query(`UPDATE platform_settings SET zone_data_version = '2026a', zone_data = '{}'`);
    await db.query(`UPDATE imports SET next_row = 7, created = 6 WHERE id = $1`, [imported.id]);
    await db.query(`UPDATE imports SET status = 'finished', finished_at = now() WHERE id = $1`, [
      imported.id,
    ]);
    await db.query('UPDATE webhook_endpoints SET failing_since = now()');
  });
  expect(rows).toEqual([]);
});

test('a statement on a list has one row with how many entries, and no entry', async () => {
  const add = `INSERT INTO do_not_call (team_id, phone_number, reason)
    SELECT $1, '+1415555' || lpad(n::text, 6, '0'), 'asked' FROM generate_series(1, 500) n ON CONFLICT DO NOTHING`;
  expect(await written(() => db.query(add, [team]))).toEqual([
    { action: 'do_not_call.added', target_id: null, before: null, after: { entries: 500 } },
  ]);
  expect(await written(() => db.query(add, [team]))).toEqual([]);
  expect(await written(() => db.query('DELETE FROM do_not_call WHERE team_id = $1', [team]))).toEqual([
    { action: 'do_not_call.removed', target_id: null, before: { entries: 500 }, after: null },
  ]);
  const pool = await buildPool(db, team);
  const number = (await buildPhoneNumber(db, team)) as { id: string; phone_number: string };
  const member = { team_id: team, number_pool_id: pool.id, phone_number: number.phone_number };
  expect(await written(() => insertRow(db, 'number_pool_members', member))).toEqual([
    { action: 'number_pool_member.added', target_id: pool.id, before: null, after: { entries: 1 } },
  ]);
});

test('without an actor a process acts of its own accord; a command keeps the actor with which it began', async () => {
  const pause = (paused: boolean) =>
    db.transaction((manager) => manager.query('UPDATE teams SET paused = $2 WHERE id = $1', [team, paused]));
  await pause(true);
  await withActor(() => pause(false), { kind: 'cli', id: null, name: 'ops', address: null });
  const rows = await db.query<object[]>(
    `SELECT action, actor_kind, actor_name FROM audit_log ORDER BY id DESC LIMIT 2`,
  );
  expect(rows).toEqual([
    { action: 'team.resumed', actor_kind: 'cli', actor_name: 'ops' },
    { action: 'team.paused', actor_kind: 'system', actor_name: null },
  ]);
});
