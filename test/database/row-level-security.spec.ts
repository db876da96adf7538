import { type Client } from 'pg';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { asTeam, attempt, buildEverything, connectRestricted, type Everything } from './restricted.js';

const REFUSED = '42501';

/**
 * By the column that says whose a row is. A new table of teams is missing here until it is proven as well.
 */
const TABLES = {
  teams: 'id',
  api_keys: 'team_id',
  audit_log: 'team_id',
  call_details: 'team_id',
  call_requests: 'team_id',
  call_results: 'team_id',
  campaign_count_changes: 'team_id',
  campaign_counts: 'team_id',
  campaign_states: 'team_id',
  campaign_versions: 'team_id',
  campaigns: 'team_id',
  carrier_account_turns: 'team_id',
  carrier_accounts: 'team_id',
  consent_endings: 'team_id',
  consents: 'team_id',
  contacts: 'team_id',
  do_not_call: 'team_id',
  enrollment_dials: 'team_id',
  enrollments: 'team_id',
  event_batches: 'team_id',
  event_sequences: 'team_id',
  events: 'team_id',
  idempotency_keys: 'team_id',
  import_chunks: 'team_id',
  import_contacts: 'team_id',
  import_results: 'team_id',
  imports: 'team_id',
  limited_do_not_call: 'team_id',
  number_pool_members: 'team_id',
  number_pools: 'team_id',
  phone_numbers: 'team_id',
  plan_usage: 'team_id',
  platform_erasures: 'team_id',
  suppression_entries: 'team_id',
  voice_agents: 'team_id',
  webhook_deliveries: 'team_id',
  webhook_endpoints: 'team_id',
  whitelist: 'team_id',
};
/** Tables of no team. */
const SHARED = [
  'migrations',
  'repeatable_scripts',
  'platform_do_not_call',
  'platform_settings',
  'sweeper_runs',
  'erasure_key',
  'database_identity',
  'event_gaps',
  'pack_versions',
  'register_numbers',
  'register_versions',
  'users',
  'sessions',
  'zone_data_versions',
];
/** Tables of people and their teams, to which the processes have no right: only the owner reads them. */
const OWNERS = ['access_links', 'memberships'];
/** What the processes may insert into, change, and delete from. */
const INSERTABLE = [
  'call_details',
  'call_requests',
  'call_results',
  'consent_endings',
  'consents',
  'contacts',
  'enrollment_dials',
  'enrollments',
  'events',
  'idempotency_keys',
  'import_chunks',
  'import_contacts',
  'import_results',
  'imports',
  'carrier_account_turns',
  'plan_usage',
  'platform_erasures',
  'webhook_deliveries',
  'webhook_endpoints',
  'do_not_call',
  'limited_do_not_call',
  'suppression_entries',
];
const CHANGEABLE = INSERTABLE.filter(
  (table) =>
    ![
      'enrollment_dials',
      'do_not_call',
      'limited_do_not_call',
      'suppression_entries',
      'consents',
      'consent_endings',
    ].includes(table),
);
/** For erasures, and rows that are processed. */
const DELETABLE = [
  'do_not_call',
  'idempotency_keys',
  'import_chunks',
  'limited_do_not_call',
  'platform_erasures',
  'whitelist',
];

const EACH_TABLE = Object.entries(TABLES);

let database: TestDatabase;
let db: DataSource;
let restricted: Client;
let own: Everything;
let foreign: Everything;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
  own = await buildEverything(db);
  foreign = await buildEverything(db);
  await db.query(
    `INSERT INTO campaign_counts SELECT campaign_id, version_id, kind, name, team_id, n FROM campaign_count_changes`,
  );
  await db.query(
    `INSERT INTO campaign_states (campaign_id, team_id, enrolled, since) SELECT id, team_id, 0, now() FROM campaigns`,
  );
  await db.query('SELECT number_events(1000)');
  restricted = await connectRestricted(database.url);
});
afterAll(async () => {
  await restricted.end();
  await db.destroy();
  await database.drop();
});

test('every table forces its policies on every role, or is listed as a table without teams', async () => {
  const tables = await db.query<{ name: string; forced: boolean; policies: string[] }[]>(
    `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS forced,
       ARRAY(SELECT p.polname::text FROM pg_policy p WHERE p.polrelid = c.oid ORDER BY 1) AS policies
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
       -- A partition without grants: only its owner reads it directly.
       AND NOT (c.relispartition AND c.relacl IS NULL)
     ORDER BY 1`,
  );
  const expected = [
    ...SHARED.map((name) => ({ name, forced: false, policies: [] })),
    ...[...Object.keys(TABLES), ...OWNERS].map((name) => ({
      name,
      forced: true,
      policies: ['every_team', 'own_team'],
    })),
  ];
  expect(tables).toEqual(expected.sort((a, b) => (a.name < b.name ? -1 : 1)));
});

test.each(['users', 'sessions', ...OWNERS])('the processes have no right to %s', async (table) => {
  for (const text of [
    `SELECT FROM ${table}`,
    `DELETE FROM ${table}`,
    `INSERT INTO ${table} DEFAULT VALUES`,
  ]) {
    expect(await asTeam(restricted, own.team, () => attempt(restricted, text))).toBe(REFUSED);
  }
});

describe.each(EACH_TABLE)('%s', (table, column) => {
  const teams = (client = restricted) => attempt(client, `SELECT DISTINCT ${column} AS team FROM ${table}`);

  test('an unscoped query sees no row before a team is set, and only the team’s rows after it', async () => {
    // That there is something to see.
    expect((await db.query<object[]>(`SELECT FROM ${table}`)).length).toBeGreaterThanOrEqual(2);
    expect(await asTeam(restricted, null, teams)).toEqual([]);
    expect(await asTeam(restricted, own.team, teams)).toEqual([{ team: own.team }]);
    expect(await asTeam(restricted, foreign.team, teams)).toEqual([{ team: foreign.team }]);
    // What a transaction has set ends with it.
    expect(await teams()).toEqual([]);
  });

  test('no row can be inserted into another team, or before a team is set', async () => {
    const [found] = await db.query<{ row: object }[]>(
      `SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${column} = $1`,
      [foreign.team],
    );
    const insert = `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::${table}, $1)`;
    for (const team of [own.team, null]) {
      expect(await asTeam(restricted, team, () => attempt(restricted, insert, [found?.row]))).toBe(REFUSED);
    }
    // The row itself is in order: in its own team only its key stands against it.
    const answer = await asTeam(restricted, foreign.team, () => attempt(restricted, insert, [found?.row]));
    expect(answer).toBe(INSERTABLE.includes(table) ? '23505' : REFUSED);
  });

  test('no row of another team can be changed, and no row can be moved or deleted', async () => {
    const same = `UPDATE ${table} SET ${column} = ${column} RETURNING ${column} AS team`;
    const give = `UPDATE ${table} SET ${column} = '${foreign.team}'`;
    const changed = (team: string | null, text: string) =>
      asTeam(restricted, team, () => attempt(restricted, text));
    const may = CHANGEABLE.includes(table);
    expect(await changed(null, same)).toEqual(may ? [] : REFUSED);
    const mine = await changed(own.team, same);
    if (!may) expect(mine).toBe(REFUSED);
    else expect(new Set((mine as { team: string }[]).map(({ team }) => team))).toEqual(new Set([own.team]));
    expect(await changed(own.team, give)).toBe(REFUSED);
    const gone = await changed(own.team, `DELETE FROM ${table} RETURNING ${column} AS team`);
    if (!DELETABLE.includes(table)) expect(gone).toBe(REFUSED);
    else expect(new Set((gone as { team: string }[]).map(({ team }) => team))).toEqual(new Set([own.team]));
    expect(await changed(null, `DELETE FROM ${table}`)).toEqual(DELETABLE.includes(table) ? [] : REFUSED);
    expect(await changed(own.team, `TRUNCATE ${table} CASCADE`)).toBe(REFUSED);
  });
});

describe('the role', () => {
  test('has only its grants, and cannot log in', async () => {
    const [role] = await db.query<object[]>(
      `SELECT rolsuper OR rolbypassrls OR rolcanlogin OR rolcreaterole OR rolcreatedb AS mighty,
         EXISTS (SELECT FROM pg_class WHERE relowner = r.oid)
           OR EXISTS (SELECT FROM pg_proc WHERE proowner = r.oid) AS owner,
         EXISTS (SELECT FROM pg_auth_members WHERE member = r.oid) AS member
       FROM pg_roles r WHERE rolname = 'outdial_app'`,
    );
    expect(role).toEqual({ mighty: false, owner: false, member: false });
  });

  test('cannot lift the policies', async () => {
    const lift = [
      'ALTER TABLE contacts DISABLE ROW LEVEL SECURITY',
      'ALTER TABLE contacts NO FORCE ROW LEVEL SECURITY',
      'CREATE POLICY mine ON contacts USING (true)',
      'DROP POLICY own_team ON contacts',
      'GRANT outdial_app TO CURRENT_USER WITH ADMIN OPTION',
      'CREATE TABLE own (id integer)',
    ];
    for (const text of lift) {
      expect([text, await asTeam(restricted, own.team, () => attempt(restricted, text))]).toEqual([
        text,
        REFUSED,
      ]);
    }
    await restricted.query('SET row_security = off');
    expect(await attempt(restricted, 'SELECT FROM contacts')).toBe(REFUSED);
    await restricted.query('RESET row_security');
  });

  test('protects from queries that forget their team, not from a process that chooses the SQL', async () => {
    expect(await attempt(restricted, `SET outdial.team_id = '${foreign.team}'`)).toEqual([]);
    expect(await attempt(restricted, 'SELECT team_id FROM api_keys')).toEqual([{ team_id: foreign.team }]);
    expect(await attempt(restricted, 'RESET outdial.team_id')).toEqual([]);
    expect(await attempt(restricted, 'SELECT team_id FROM api_keys')).toEqual([]);
  });

  test('sees no row with an invalid team id', async () => {
    expect(await asTeam(restricted, '', () => attempt(restricted, 'SELECT FROM contacts'))).toEqual([]);
    const nonsense = asTeam(restricted, 'everybody', () => attempt(restricted, 'SELECT FROM contacts'));
    expect(await nonsense).toBe('22P02');
  });
});

describe('functions that read across teams', () => {
  test('have a fixed search path, and only their grants', async () => {
    const functions = await db.query<{ name: string; path: string; open: boolean }[]>(
      `SELECT proname AS name, array_to_string(proconfig, ',') AS path,
         has_function_privilege('public', oid, 'EXECUTE') AS open
       FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef ORDER BY 1`,
    );
    const names = `
      advance_zone_data agent_exists ask_silent_of ask_unknown_of audit_change audit_list_change audit_revocation carrier_account_of check_database_identity claim_webhook_deliveries
      close_stale_imports count_enrollments count_open_calls count_overdue_calls count_restored_calls
      count_unknown_zones count_unnumbered_events count_waiting_calls decide_enrollments_of_zones
      delete_expired_do_not_call delete_old_audit delete_old_consents delete_old_suppression_entries drop_old_call_month
      end_archived_enrollments erase_consent_endings erase_consents erase_suppression_entries find_calls_of_zones find_calls_under_way find_dialing_campaigns find_due_webhook_endpoints
      find_expired_behind find_migrating_versions find_settling_campaigns
      find_teams_with_free_concurrency_slots find_unsettled find_unwoken find_wake_ups
      finish_webhook_attempts finish_zone_moves fold_campaign_counts
      hold_restored_calls known_keys make_call_month mark_unknown may_be_another_call measure_campaigns measure_failing_webhooks measure_imports measure_webhooks
      note_key_uses number_events oldest_rows platform_erasures_due remove_ended_access remove_ended_calls remove_old_answers
      remove_old_events remove_old_imports remove_old_plan_usage remove_webhook_deliveries
      say_phase_of_moved_call suppression_actor take_consents take_due_dials take_import take_settling_enrollments take_suppressions take_undo team_of_call team_of_key teams_of_calls
      teams_of_keys teams_with_old_calls teams_with_old_events tell_campaign_states try_locks_of_calls try_locks_of_requests
      wake_again write_audit write_call_event write_campaign_event write_enrollment_event
      write_events_of_new_enrollments write_import_event write_opt_out_event write_result_event`
      .trim()
      .split(/\s+/);
    const path = 'search_path=public, pg_temp';
    expect(functions).toEqual(names.map((name) => ({ name, path, open: false })));
  });

  test('return the team of a key or a call, and null for an unknown or revoked one', async () => {
    const ask = (text: string, value: unknown) => attempt(restricted, `SELECT ${text} AS answer`, [value]);
    const answer = (value: unknown) => [{ answer: value }];
    expect(await ask('team_of_key($1)', own.keyHash)).toEqual(answer(own.team));
    expect(await ask('team_of_key($1)', Buffer.alloc(32))).toEqual(answer(null));
    expect(await ask('team_of_call($1)', foreign.call)).toEqual(answer(foreign.team));
    expect(await ask('team_of_call($1)', own.team)).toEqual(answer(null));
    expect(await ask('agent_exists($1)', foreign.agent)).toEqual(answer(true));
    expect(await ask('agent_exists($1)', own.team)).toEqual(answer(false));
    await db.query('UPDATE api_keys SET revoked_at = now() WHERE key_hash = $1', [own.keyHash]);
    expect(await ask('team_of_key($1)', own.keyHash)).toEqual(answer(null));
  });
});
