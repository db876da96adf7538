import { type INestApplicationContext } from '@nestjs/common';
import { type Client } from 'pg';
import { AuditRetention } from '../../src/audit/audit-retention.service.js';
import { attempt, connectRestricted } from '../database/restricted.js';
import { createWorld, type World } from '../support/app.js';
import { buildTeam } from '../support/builders.js';

const REFUSED = '42501';

let world: World;
let worker: INestApplicationContext;
let restricted: Client;

beforeAll(async () => {
  world = await createWorld();
  worker = await world.startWorker();
  restricted = await connectRestricted(world.config.databaseUrl);
  await buildTeam(world.db);
});
afterAll(async () => {
  await restricted.end();
  await world.close();
});

const count = async () => {
  const [row] = await world.db.query<{ rows: number }[]>('SELECT count(*)::integer AS rows FROM audit_log');
  return row?.rows ?? 0;
};

const CHANGES = [
  `UPDATE audit_log SET actor_name = 'another'`,
  'DELETE FROM audit_log',
  'TRUNCATE audit_log',
  `DELETE FROM audit_log WHERE at < now() - interval '400 days'`,
  `WITH gone AS (DELETE FROM audit_log RETURNING 1) SELECT count(*) FROM gone`,
  `MERGE INTO audit_log a USING (SELECT) one ON true WHEN MATCHED THEN DELETE`,
];

test('the role of the processes can neither change, remove nor invent a row', async () => {
  const before = await count();
  expect(before).toBeGreaterThan(0);
  const others = [
    `INSERT INTO audit_log (actor_kind, action, target_type) VALUES ('system', 'x', 'x')`,
    'ALTER TABLE audit_log DISABLE TRIGGER keep_audit_log',
    'DROP TRIGGER keep_audit_log ON audit_log',
    `SET session_replication_role = 'replica'`,
    'CREATE OR REPLACE FUNCTION delete_old_audit(integer, integer) RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
  ];
  for (const text of [...CHANGES, ...others])
    expect([text, await attempt(restricted, text)]).toEqual([text, REFUSED]);
  // Its function removes nothing that is younger than 30 days.
  expect(await attempt(restricted, 'SELECT delete_old_audit(0, 1000) AS removed')).toEqual([{ removed: 0 }]);
  expect(await count()).toBe(before);
});

test('the owner cannot change or remove a row either, nor by a function of the same name elsewhere', async () => {
  const before = await count();
  for (const text of CHANGES) {
    const answer = world.db.query(text).then(
      () => 'done',
      (error: { code?: string }) => error.code,
    );
    expect([text, await answer]).toEqual([text, REFUSED]);
  }
  const forged = world.db.transaction(async (manager) => {
    await manager.query(`CREATE FUNCTION pg_temp.delete_old_audit(days integer, most integer) RETURNS void
      LANGUAGE plpgsql AS $$ BEGIN DELETE FROM public.audit_log; END $$`);
    await manager.query('SELECT pg_temp.delete_old_audit(1, 1)');
  });
  await expect(forged).rejects.toMatchObject({ code: REFUSED });
  expect(await count()).toBe(before);
});

test('the worker removes rows whose retention is over, and no others', async () => {
  const old = (days: number, action: string) =>
    world.db.query(
      `INSERT INTO audit_log (at, actor_kind, action, target_type)
       SELECT now() - make_interval(days => $1), 'system', $2, 'team' FROM generate_series(1, 1100)`,
      [days, action],
    );
  await old(401, 'team.old');
  await old(399, 'team.kept');
  const before = await count();
  const removed = await worker.get(AuditRetention, { strict: false }).removeOld(new AbortController().signal);
  expect([removed, await count()]).toEqual([1100, before - 1100]);
  expect(await world.db.query(`SELECT FROM audit_log WHERE action = 'team.old'`)).toEqual([]);
});
