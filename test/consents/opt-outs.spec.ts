import { type ImportWorkerService } from '../../src/imports/work/import-worker.service.js';
import { CliTerminal } from '../cli/terminal.js';
import { CSV, ImportClient } from '../imports/import-client.js';
import { workerOf } from '../imports/import-worker.js';
import { buildContact, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling, NEVER_MS } from '../support/calling.js';
import { type TestDatabase } from '../support/database.js';
import { LockHolder } from '../support/lock-holder.js';
import { signedIn } from '../support/signed-in.js';
import { PagesClient } from '../dashboard/pages-client.js';
import { hoursAgo, Ledger } from '../support/consent-ledger.js';

const calling = Calling.ofFile({ erasureKey: 'erasure-key-of-the-tests' });
const holder = LockHolder.ofFile(calling);
const ledger = new Ledger(calling);
let importWorker: ImportWorkerService;
let caller: Caller;
let number: string;

beforeAll(async () => {
  importWorker = await workerOf(calling, NEVER_MS);
  await calling.queue.pause();
});
beforeEach(async () => {
  caller = await buildCaller(calling.db);
  number = nextNumber();
});

const add = (phoneNumber = number) =>
  calling
    .http()
    .post('/api/do-not-call')
    .set(bearer(caller.apiKey))
    .send({ phoneNumbers: [phoneNumber] })
    .expect(201);
const remove = (phoneNumber = number) =>
  calling
    .operator('delete', `/teams/${caller.teamId}/do-not-call/${encodeURIComponent(phoneNumber)}`)
    .expect(204);

const WAYS: Record<string, () => Promise<unknown>> = {
  'a request with a key': () => add(),
  'a request of the operator': () =>
    calling.operated('post', `/teams/${caller.teamId}/do-not-call`, { phoneNumbers: [number] }),
  'the result of a call': async () => {
    const id = await calling.accepted(caller, { phoneNumber: number });
    await calling.report(caller, id, { optOut: true }).expect(409);
  },
  'a file': async () => {
    await new ImportClient(calling).started(caller, `${number}\n`, { query: 'type=suppressions', type: CSV });
    await importWorker.run(new AbortController().signal);
  },
  'the page': async () => {
    const { cookie } = await signedIn(calling.db, { teamId: caller.teamId, role: 'manager' });
    const path = `/t/${caller.teamId}/do-not-call`;
    const answer = await new PagesClient(calling.api, cookie).submit(path, path, { phoneNumbers: number });
    expect(answer.status).toBe(303);
  },
  'the command line': async () => {
    const { databaseUrl: url } = calling.world.config;
    const cli = new CliTerminal({ url } as TestDatabase, { ERASURE_KEY: 'erasure-key-of-the-tests' });
    const answer = await cli.run('dnc', 'add', number, '--team', caller.teamId);
    expect(answer).toMatchObject({ code: 0, told: '' });
  },
  'any statement': () =>
    calling.db.query('INSERT INTO do_not_call (team_id, phone_number) VALUES ($1, $2)', [
      caller.teamId,
      number,
    ]),
};

test.each(Object.keys(WAYS))(
  'an opt-out by %s ends the consents, and its removal revives none',
  async (way) => {
    await ledger.recorded(caller, number);
    await ledger.recorded(caller, number, { level: 'expressWritten', grantedAt: hoursAgo(2) });
    const other = nextNumber();
    await ledger.recorded(caller, other);
    expect(await ledger.facts(caller, [number])).toHaveLength(2);
    await WAYS[way]?.();
    expect(await ledger.states(caller, number)).toEqual(['opted_out', 'opted_out']);
    expect(await ledger.facts(caller, [number])).toEqual([]);
    await remove();
    expect(await ledger.states(caller, number)).toEqual(['opted_out', 'opted_out']);
    expect(await ledger.facts(caller, [number])).toEqual([]);
    expect(await ledger.facts(caller, [other])).toHaveLength(1);
  },
);

test('a consent that is given after the opt-out is in force; one that was given before it never is', async () => {
  await add();
  await remove();
  expect(await ledger.recorded(caller, number, { grantedAt: hoursAgo(1) })).toMatchObject({
    status: 'opted_out',
    endedAt: expect.any(String) as string,
  });
  const late = await ledger.recorded(caller, number, { grantedAt: new Date().toISOString() });
  expect(late).toMatchObject({ status: 'in_force', endedAt: null });
  expect(await ledger.facts(caller, [number])).toMatchObject([{ id: late.id }]);
});

test('a second opt-out, of a number that is on the list, ends the consents since the first', async () => {
  await add();
  await ledger.recorded(caller, number, { grantedAt: new Date().toISOString() });
  expect(await ledger.states(caller, number)).toEqual(['in_force']);
  expect((await add()).body).toMatchObject({ added: 0 });
  await remove();
  expect(await ledger.states(caller, number)).toEqual(['opted_out']);
});

test('a second opt-out ends them as well if the first is on the list in the erased form', async () => {
  await add();
  const { id } = await buildContact(calling.db, caller.teamId, { phone_number: number });
  await calling.http().delete(`/api/contacts/${id}`).set(bearer(caller.apiKey)).expect(204);
  await ledger.recorded(caller, number, { grantedAt: new Date().toISOString() });
  expect(await ledger.facts(caller, [number])).toHaveLength(1);
  expect((await add()).body).toMatchObject({ added: 0 });
  expect(await ledger.facts(caller, [number])).toEqual([]);
});

test('the opt-out of one form of a number ends the consents of the other', async () => {
  const [fixed, mobile] = ['+541157447712', '+5491157447712'];
  await ledger.recorded(caller, mobile);
  await ledger.recorded(caller, fixed);
  await add(fixed);
  expect(await ledger.states(caller, mobile)).toEqual(['opted_out', 'opted_out']);
  expect(await ledger.facts(caller, [fixed, mobile])).toEqual([]);
  await remove(mobile);
  expect(await ledger.facts(caller, [fixed, mobile])).toEqual([]);
});

test('a consent of the erased form is ended by the opt-out of the clear one', async () => {
  await ledger.recorded(caller, number);
  const { id } = await buildContact(calling.db, caller.teamId, { phone_number: number });
  await calling.http().delete(`/api/contacts/${id}`).set(bearer(caller.apiKey)).expect(204);
  const [erased] = await ledger.list(caller, { phoneNumber: number });
  const forms = [number, erased?.phoneNumber ?? ''];
  expect(forms[1]).toMatch(/^erased:/);
  expect(await ledger.facts(caller, forms)).toHaveLength(1);
  await add();
  expect(await ledger.facts(caller, forms)).toEqual([]);
});

test('an opt-out of another team ends nothing', async () => {
  await ledger.recorded(caller, number);
  const other = await buildCaller(calling.db);
  await calling.operated('post', `/teams/${other.teamId}/do-not-call`, { phoneNumbers: [number] });
  expect(await ledger.states(caller, number)).toEqual(['in_force']);
});

test('an opt-out that fails ends nothing', async () => {
  await ledger.recorded(caller, number);
  await calling.db.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
    CREATE TRIGGER refuse AFTER INSERT ON do_not_call FOR EACH ROW EXECUTE FUNCTION refuse()`);
  try {
    const body = { phoneNumbers: [number] };
    await calling.http().post('/api/do-not-call').set(bearer(caller.apiKey)).send(body).expect(500);
  } finally {
    await calling.db.query('DROP FUNCTION refuse() CASCADE');
  }
  expect(await ledger.states(caller, number)).toEqual(['in_force']);
});

test('a consent that waits while its number is opted out is recorded as ended', async () => {
  const grantedAt = new Date().toISOString();
  const [recorded] = await holder.whileHeld(
    () => holder.number(caller, number),
    () => [ledger.recorded(caller, number, { grantedAt })],
    () =>
      holder.query('INSERT INTO do_not_call (team_id, phone_number) VALUES ($1, $2)', [
        caller.teamId,
        number,
      ]),
  );
  expect(recorded).toMatchObject({ status: 'opted_out' });
  await remove();
  expect(await ledger.facts(caller, [number])).toEqual([]);
});

test('an opt-out that waits while a consent is recorded ends it', async () => {
  await holder.whileHeld(
    () => holder.number(caller, number),
    () => [add().then(({ status }) => status)],
    () =>
      holder.query(
        `INSERT INTO consents (team_id, phone_number, level, source, granted_at, created_at)
         VALUES ($1, $2, 'express', 'letter', clock_timestamp(), clock_timestamp())`,
        [caller.teamId, number],
      ),
  );
  expect(await ledger.states(caller, number)).toEqual(['opted_out']);
});

test('of many consents and opt-outs at once, no consent that was given before the last opt-out is in force', async () => {
  const numbers = Array.from({ length: 8 }, () => nextNumber());
  const consents = numbers.flatMap((each) => [
    ledger.recorded(caller, each, { grantedAt: new Date().toISOString() }),
    ledger.recorded(caller, each, { grantedAt: hoursAgo(1) }),
  ]);
  await Promise.all([...consents, ...numbers.map((each) => add(each)), ...numbers.map((each) => add(each))]);
  const rows = await calling.db.query<object[]>(
    `SELECT c.id FROM consents c
     WHERE c.team_id = $1
       AND c.granted_at <= (
         SELECT max(e.ended_at) FROM consent_endings e
         WHERE e.team_id = c.team_id AND e.phone_number = c.phone_number AND e.consent_id IS NULL)
       AND consents_of(c.team_id, ARRAY[c.phone_number], outdial_now()) @> jsonb_build_array(jsonb_build_object('id', c.id))`,
    [caller.teamId],
  );
  expect(rows).toEqual([]);
  // Half of them were given an hour before.
  const states = (await Promise.all(numbers.map((each) => ledger.states(caller, each)))).flat();
  expect(states).toHaveLength(16);
  expect(states.filter((state) => state === 'opted_out').length).toBeGreaterThanOrEqual(8);
});
