import { type INestApplicationContext } from '@nestjs/common';
import { type Client } from 'pg';
import { PLANNING } from '../../src/database/session.js';
import { SuppressionRetention } from '../../src/suppression/suppression-retention.service.js';
import { asTeam, attempt, connectRestricted } from '../database/restricted.js';
import { createWorld, type World } from '../support/app.js';
import { buildTeam, insertRow, nextNumber, type Row } from '../support/builders.js';

const REFUSED = '42501';

let world: World;
let worker: INestApplicationContext;
let restricted: Client;
let team: string;

beforeAll(async () => {
  world = await createWorld();
  worker = await world.startWorker();
  restricted = await connectRestricted(world.config.databaseUrl);
  team = (await buildTeam(world.db)).id;
});
afterAll(async () => {
  await restricted.end();
  await world.close();
});

const entry = (row: Row = {}) =>
  insertRow<Row & { id: string }>(world.db, 'suppression_entries', {
    team_id: team,
    phone_number: nextNumber(),
    action: 'added',
    scope: 'team',
    source: 'request',
    actor_kind: 'system',
    effective_from: new Date(),
    ...row,
  });

const stored = () => world.db.query<Row[]>('SELECT * FROM suppression_entries ORDER BY id');

const CHANGES = [
  `UPDATE suppression_entries SET reason = 'another'`,
  'DELETE FROM suppression_entries',
  'TRUNCATE suppression_entries',
  'WITH gone AS (DELETE FROM suppression_entries RETURNING 1) SELECT count(*) FROM gone',
  'MERGE INTO suppression_entries e USING (SELECT) one ON true WHEN MATCHED THEN DELETE',
];

test('the role of the processes adds entries of its team, and can neither change nor remove one', async () => {
  await entry();
  const before = await stored();
  const others = [
    'ALTER TABLE suppression_entries DISABLE TRIGGER keep_suppression_entries',
    'DROP TRIGGER keep_suppression_entries ON suppression_entries',
    `SET session_replication_role = 'replica'`,
    'CREATE OR REPLACE FUNCTION delete_old_suppression_entries(timestamptz, bigint, integer) RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
  ];
  for (const text of [...CHANGES, ...others]) {
    expect([text, await asTeam(restricted, team, () => attempt(restricted, text))]).toEqual([text, REFUSED]);
  }
  const insert = (teamId: string | null, scope: string) =>
    asTeam(restricted, team, () =>
      attempt(
        restricted,
        `INSERT INTO suppression_entries (team_id, phone_number, action, scope, source, actor_kind, effective_from)
         VALUES ($1, '+14155550100', 'added', $2, 'request', 'system', now()) RETURNING scope`,
        [teamId, scope],
      ),
    );
  expect(await insert(team, 'team')).toEqual([{ scope: 'team' }]);
  const { id: other } = await buildTeam(world.db);
  expect(await insert(other, 'team')).toBe(REFUSED);
  expect(await insert(null, 'platform')).toBe(REFUSED);
  for (const text of [
    `INSERT INTO platform_do_not_call (phone_number) VALUES ('+14155550100')`,
    'DELETE FROM platform_do_not_call',
  ]) {
    expect(await asTeam(restricted, team, () => attempt(restricted, text))).toBe(REFUSED);
  }
  expect(await stored()).toEqual(before);
});

test('the owner cannot change or remove an entry either, nor by a function of the same name elsewhere', async () => {
  await entry();
  const before = await stored();
  for (const text of CHANGES) {
    const answer = world.db.query(text).then(
      () => 'done',
      (error: { code?: string }) => error.code,
    );
    expect([text, await answer]).toEqual([text, REFUSED]);
  }
  const forged = world.db.transaction(async (manager) => {
    await manager.query(`CREATE FUNCTION pg_temp.delete_old_suppression_entries(most integer) RETURNS void
      LANGUAGE plpgsql AS $$ BEGIN DELETE FROM public.suppression_entries; END $$`);
    await manager.query('SELECT pg_temp.delete_old_suppression_entries(1)');
  });
  await expect(forged).rejects.toMatchObject({ code: REFUSED });
  expect(await stored()).toEqual(before);
});

test('the function of the erasure writes only erased forms, of the team that the transaction names', async () => {
  const { id: other } = await buildTeam(world.db);
  const phone = nextNumber();
  await entry({ phone_number: phone });
  const erase = (teamId: string, number: string, into: string) =>
    asTeam(restricted, team, () =>
      attempt(restricted, 'SELECT erase_suppression_entries($1, $2, $3) AS changed', [teamId, number, into]),
    );
  const form = `erased:${'a'.repeat(64)}`;
  expect(await erase(team, phone, '+14155550199')).toEqual([{ changed: 0 }]);
  await entry({ team_id: other, phone_number: phone });
  expect(await erase(other, phone, form)).toEqual([{ changed: 0 }]);
  expect(await erase(team, phone, form)).toEqual([{ changed: 1 }]);
});

test('an opt-out has no expiry', async () => {
  const expires = { expires_at: new Date(Date.now() + 60_000) };
  await expect(entry({ source: 'opt_out', ...expires })).rejects.toMatchObject({ code: '23514' });
  await entry({ source: 'request', ...expires });
});

test('the worker removes entries after five years, unless the number is on a list, and expired limits', async () => {
  const years = (count: number) => new Date(Date.now() - count * 366 * 86_400_000);
  const [listed, limited, gone, young] = [nextNumber(), nextNumber(), nextNumber(), nextNumber()];
  await insertRow(world.db, 'do_not_call', { team_id: team, phone_number: listed });
  const limit = { team_id: team, scope: 'team', effective_from: years(1) };
  await insertRow(world.db, 'limited_do_not_call', { ...limit, phone_number: limited });
  const platform = nextNumber();
  await insertRow(world.db, 'platform_do_not_call', { phone_number: platform });
  const expired = { ...limit, phone_number: gone, expires_at: new Date(Date.now() - 2 * 86_400_000) };
  await insertRow(world.db, 'limited_do_not_call', expired);
  const old = { recorded_at: years(6), effective_from: years(6) };
  const kept = [
    await entry({ phone_number: listed, ...old }),
    await entry({ phone_number: limited, ...old }),
    await entry({ phone_number: young, recorded_at: years(4) }),
    await entry({ phone_number: platform, team_id: null, scope: 'platform', ...old }),
    await entry({ phone_number: gone, expires_at: new Date(Date.now() + 60_000), ...old }),
  ];
  const removed = [await entry({ phone_number: gone, ...old }), await entry(old)];
  const signal = new AbortController().signal;
  expect(await worker.get(SuppressionRetention, { strict: false }).removeOld(signal)).toBe(3);
  const ids = (await stored()).map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(kept.map(({ id }) => id)));
  expect(ids.filter((id) => removed.some((one) => one.id === id))).toEqual([]);
});

test('a statement of the removal looks at no more entries than it is told, also where many stay', async () => {
  const { id: own } = await buildTeam(world.db);
  const [kept, removed] = [1_500, 3];
  await world.db.query(
    `INSERT INTO limited_do_not_call (team_id, phone_number, scope, effective_from)
     SELECT $1, '+1' || (2120000000 + n), 'team', now() FROM generate_series(1, $2::integer) n`,
    [own, kept],
  );
  await world.db.query(
    `INSERT INTO suppression_entries (team_id, phone_number, action, scope, source, actor_kind, effective_from, recorded_at)
     SELECT $1, '+1' || (2120000000 + n), 'added', 'team', 'request', 'system', now(),
       now() - interval '7 years' + (n / 3) * interval '1 microsecond'
     FROM generate_series(1, $2::integer) n`,
    [own, kept + removed],
  );
  await restricted.query('BEGIN');
  for (const [setting, value] of Object.entries(PLANNING))
    await restricted.query('SELECT set_config($1, $2, true)', [setting, value]);
  const looked = await restricted.query(
    `SELECT last_at < now() AS old, removed FROM delete_old_suppression_entries('-infinity', 0, 100)`,
  );
  const { rows: read } = await restricted.query<{ read: number }>(
    `SELECT (seq_tup_read + idx_tup_fetch)::integer AS read FROM pg_stat_xact_user_tables
     WHERE relname = 'suppression_entries'`,
  );
  await restricted.query('ROLLBACK');
  expect(looked.rows).toEqual([{ old: true, removed: 0 }]);
  expect(read[0]?.read).toBeLessThan(500);
  const signal = new AbortController().signal;
  const retention = worker.get(SuppressionRetention, { strict: false });
  expect([await retention.removeOld(signal), await retention.removeOld(signal)]).toEqual([removed, 0]);
  const left = await world.db.query<object[]>('SELECT FROM suppression_entries WHERE team_id = $1', [own]);
  expect(left).toHaveLength(kept);
});
