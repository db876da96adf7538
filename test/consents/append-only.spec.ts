import { type Client } from 'pg';
import { asTeam, attempt, connectRestricted } from '../database/restricted.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { Ledger } from '../support/consent-ledger.js';

const REFUSED = '42501';

const calling = Calling.ofFile();
const ledger = new Ledger(calling);
let restricted: Client;
let caller: Caller;

beforeAll(async () => {
  restricted = await connectRestricted(calling.world.config.databaseUrl);
  calling.beforeClose(() => restricted.end());
  caller = await buildCaller(calling.db);
  const { id } = await ledger.recorded(caller, nextNumber());
  await ledger.revoke(caller, id).expect(200);
  await ledger.recorded(caller, nextNumber());
});

const rows = () =>
  calling.db.query<object[]>(
    'SELECT to_jsonb(c) AS row FROM consents c UNION ALL SELECT to_jsonb(e) FROM consent_endings e ORDER BY 1',
  );

const CHANGES = ['consents', 'consent_endings'].flatMap((table) => [
  `UPDATE ${table} SET created_at = now()`,
  `UPDATE ${table} SET phone_number = 'erased:' || repeat('a', 64)`,
  `DELETE FROM ${table}`,
  `TRUNCATE ${table} CASCADE`,
  `WITH gone AS (DELETE FROM ${table} RETURNING 1) SELECT count(*) FROM gone`,
  `MERGE INTO ${table} t USING (SELECT) one ON true WHEN MATCHED THEN DELETE`,
  `MERGE INTO ${table} t USING (SELECT) one ON true WHEN MATCHED THEN UPDATE SET created_at = now()`,
]);

const OTHERS = [
  'ALTER TABLE consents DISABLE TRIGGER keep_consents',
  'DROP TRIGGER keep_consents ON consent_endings',
  'DROP TRIGGER end_consents_of_listed ON do_not_call',
  `SET session_replication_role = 'replica'`,
  'CREATE OR REPLACE FUNCTION delete_old_consents(integer, integer) RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
];

test('the role of the processes can add rows, and neither change nor remove one', async () => {
  const before = await rows();
  expect(before).toHaveLength(3);
  for (const text of [...CHANGES, ...OTHERS]) {
    const answer = await asTeam(restricted, caller.teamId, () => attempt(restricted, text));
    expect([text, answer]).toEqual([text, REFUSED]);
  }
  // Its function removes nothing that ended less than a year ago, whatever it is told.
  const remove = 'SELECT delete_old_consents(0, 1000) AS removed';
  expect(await attempt(restricted, remove)).toEqual([{ removed: 0 }]);
  expect(await rows()).toEqual(before);
  const add = `INSERT INTO consents (team_id, phone_number, level, source, granted_at, created_at)
    VALUES ('${caller.teamId}', '+14155550142', 'express', 'x', now(), now()) RETURNING level`;
  expect(await asTeam(restricted, caller.teamId, () => attempt(restricted, add))).toEqual([
    { level: 'express' },
  ]);
});

test('the erasing functions change no number but a clear one to an erased one, and only of the team', async () => {
  const before = await rows();
  const [one] = await calling.db.query<{ phone_number: string }[]>('SELECT phone_number FROM consents');
  const number = one?.phone_number ?? '';
  const other = await buildCaller(calling.db);
  for (const name of ['erase_consents', 'erase_consent_endings']) {
    const tries: [string | null, string, string, string][] = [
      [caller.teamId, caller.teamId, number, '+14155550199'],
      [caller.teamId, caller.teamId, '%', 'erased:1'],
      [other.teamId, caller.teamId, number, `erased:${'a'.repeat(64)}`],
    ];
    for (const [scope, ...values] of tries) {
      const erase = `SELECT ${name}($1, $2, $3) AS changed`;
      const answer = await asTeam(restricted, scope, () => attempt(restricted, erase, values));
      expect([name, values, answer]).toEqual([name, values, [{ changed: 0 }]]);
    }
  }
  expect(await rows()).toEqual(before);
});

test('the owner cannot change or remove a row either, nor by a function of the same name elsewhere', async () => {
  const before = await rows();
  for (const text of CHANGES) {
    const answer = calling.db.query(text).then(
      () => 'done',
      (error: { code?: string }) => error.code,
    );
    expect([text, await answer]).toEqual([text, REFUSED]);
  }
  const forged = calling.db.transaction(async (manager) => {
    await manager.query(`CREATE FUNCTION pg_temp.delete_old_consents(days integer, most integer) RETURNS void
      LANGUAGE plpgsql AS $$ BEGIN DELETE FROM public.consent_endings; END $$`);
    await manager.query('SELECT pg_temp.delete_old_consents(1, 1)');
  });
  await expect(forged).rejects.toMatchObject({ code: REFUSED });
  expect(await rows()).toEqual(before);
});
