import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ErasedNumbers } from '../../src/erasure/erased-numbers.service.js';
import { Journal } from '../../src/journal/journal.service.js';
import { CliTerminal } from '../cli/terminal.js';
import { Ledger } from '../support/consent-ledger.js';
import { bearer, Calling } from '../support/calling.js';
import { buildContact, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { eventually } from '../support/eventually.js';
import { LockHolder } from '../support/lock-holder.js';

const KEY = 'erasure-key-of-the-tests';

let directory: string;
let calling: Calling;
let caller: Caller;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'outdial-journal-'));
  calling = await Calling.start({ erasureKey: KEY, journalDir: directory });
  caller = await buildCaller(calling.db);
});
afterEach(async () => {
  await calling.close();
  rmSync(directory, { recursive: true });
});

const files = () => readdirSync(directory).map((name) => join(directory, name));
const written = () =>
  files()
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map(
      (line) => JSON.parse(line) as { kind: string; teamId?: string; contactId?: string; numbers?: string[] },
    )
    .filter(({ kind }) => kind !== 'alive');

const list = (phoneNumbers: string[]) =>
  calling.operated('post', `/teams/${caller.teamId}/do-not-call`, { phoneNumbers });
const erase = (contactId: string) =>
  calling.http().delete(`/api/contacts/${contactId}`).set(bearer(caller.apiKey));

/** The database as in the backup: without what the journal has. */
async function forget(): Promise<void> {
  await calling.db.query('DELETE FROM do_not_call');
  await calling.db.query(`UPDATE database_identity SET database_oid = '1'`);
  await calling.world.startApi();
}

const resume = () => calling.operator('post', '/resume?force=true');

test('records the opt-out of a result that is refused', async () => {
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  await calling.report(caller, id, { optOut: true }).expect(409);
  expect(written()).toEqual([expect.objectContaining({ kind: 'do_not_call.added', teamId: caller.teamId })]);
});

test('records opt-outs and erasures without the number before the answer', async () => {
  const [listed, erased] = [nextNumber(), nextNumber()];
  await list([listed]);
  const { id } = await buildContact(calling.db, caller.teamId, { phone_number: erased });
  await erase(id).expect(204);
  await calling.operator('delete', `/teams/${caller.teamId}/do-not-call/${listed}`).expect(204);
  expect(written()).toEqual([
    expect.objectContaining({ kind: 'do_not_call.added', teamId: caller.teamId }),
    expect.objectContaining({ kind: 'contact.erased', teamId: caller.teamId, contactId: id }),
    expect.objectContaining({ kind: 'do_not_call.removed', teamId: caller.teamId }),
  ]);
  const text = files()
    .map((file) => readFileSync(file, 'utf8'))
    .join('');
  expect([listed, erased].filter((number) => text.includes(number.slice(1)))).toEqual([]);
});

test('a replay restores every opt-out, ends the calls to it, and repeats erasures', async () => {
  const [known, unknown, removed] = [nextNumber(), nextNumber(), nextNumber()];
  await calling.startIdleWorker();
  await list([known, unknown, removed]);
  await calling.operator('delete', `/teams/${caller.teamId}/do-not-call/${removed}`).expect(204);
  const erased = nextNumber();
  const { id } = await buildContact(calling.db, caller.teamId, { phone_number: erased });
  // Of another process, whose erasure the backup does not have.
  const erasure = { kind: 'contact.erased', teamId: caller.teamId, contactId: id };
  const at = new Date().toISOString();
  writeFileSync(
    join(directory, `${at.slice(0, 10)}-host-1-abcd.jsonl`),
    `${JSON.stringify({ at, ...erasure })}\n`,
  );
  await forget();
  const pending = await calling.accepted(caller, { phoneNumber: known });
  await resume().expect(201);
  expect(await calling.row(pending)).toMatchObject({ status: 'blocked', reason: 'DO_NOT_CALL' });
  for (const phoneNumber of [known, unknown]) {
    expect((await calling.trigger(caller, { phoneNumber })).body).toMatchObject({ reason: 'DO_NOT_CALL' });
  }
  await calling.trigger(caller, { phoneNumber: removed }).expect(200);
  await erase(id).expect(404);
  const contacts = await calling.db.query<object[]>('SELECT FROM contacts WHERE phone_number = $1', [erased]);
  expect(contacts).toEqual([]);
});

test('a replay ends consents by opt-outs that were removed since, and revokes them again', async () => {
  const ledger = new Ledger(calling);
  const [removed, revoked, kept] = [nextNumber(), nextNumber(), nextNumber()];
  await ledger.recorded(caller, removed);
  const { id } = await ledger.recorded(caller, revoked);
  await ledger.recorded(caller, kept);
  await list([removed]);
  await calling.operator('delete', `/teams/${caller.teamId}/do-not-call/${removed}`).expect(204);
  await ledger.revoke(caller, id, { reason: 'asked' }).expect(200);
  const later = await ledger.recorded(caller, removed, { grantedAt: new Date().toISOString() });
  expect(written()).toContainEqual(
    expect.objectContaining({ kind: 'consent.revoked', teamId: caller.teamId, consentId: id }),
  );
  await calling.db.query('DROP TRIGGER keep_consents ON consent_endings');
  await calling.db.query('DELETE FROM consent_endings');
  await forget();
  for (let time = 0; time < 2; time += 1) {
    await resume().expect(201);
    expect(await ledger.states(caller, removed)).toEqual(['in_force', 'opted_out']);
    expect(await ledger.facts(caller, [removed])).toMatchObject([{ id: later.id }]);
    expect(await ledger.states(caller, revoked)).toEqual(['revoked']);
    expect(await ledger.states(caller, kept)).toEqual(['in_force']);
    await forget();
  }
  const [rows] = await calling.db.query<{ n: number }[]>(
    'SELECT count(*)::integer AS n FROM consent_endings WHERE phone_number = ANY($1)',
    [[removed, revoked]],
  );
  expect(rows).toEqual({ n: 2 });
});

test('a replay does not list again what the backup has, so that consents given later stay in force', async () => {
  const ledger = new Ledger(calling);
  const [ofContact, unknown, optedOut] = [nextNumber(), nextNumber(), nextNumber()];
  const [, form] = calling.api
    .get(ErasedNumbers, { strict: false })
    .formsOf({ id: caller.teamId, hasErasedNumbers: true }, unknown) as [string, string];
  await buildContact(calling.db, caller.teamId, { phone_number: ofContact });
  const call = await calling.accepted(caller, { phoneNumber: optedOut });
  await list([ofContact, unknown]);
  await calling.report(caller, call, { optOut: true }).expect(409);
  const given = [];
  for (const number of [ofContact, unknown, optedOut])
    given.push(await ledger.recorded(caller, number, { grantedAt: new Date().toISOString() }));
  const listed = () =>
    Promise.all(
      ['do_not_call', 'suppression_entries'].map((table) =>
        calling.db.query<object[]>(`SELECT * FROM ${table} ORDER BY phone_number`),
      ),
    );
  const before = await listed();
  expect(before.map(({ length }) => length)).toEqual([3, 3]);
  await calling.db.query(`UPDATE database_identity SET database_oid = '1'`);
  await calling.world.startApi();
  for (let time = 0; time < 2; time += 1) {
    const refused = await calling.operator('post', '/resume');
    expect([refused.status, refused.body]).toEqual([
      409,
      { error: expect.stringContaining('Replayed from the journal: 0 Do Not Call entries') as string },
    ]);
    expect(await listed()).toEqual(before);
    for (const { id, phoneNumber } of given) {
      expect(await ledger.states(caller, phoneNumber)).toEqual(['in_force']);
      expect(await ledger.facts(caller, [phoneNumber, form])).toMatchObject([{ id }]);
    }
  }
});

test('a number that was listed in its erased form is not listed again', async () => {
  const number = nextNumber();
  await list([number]);
  await forget();
  await resume().expect(201);
  const entries = () =>
    calling.db.query<object[]>('SELECT id, phone_number FROM suppression_entries ORDER BY id');
  const ends = () => calling.db.query<object[]>('SELECT id FROM consent_endings ORDER BY id');
  const before = [await entries(), await ends()];
  await buildContact(calling.db, caller.teamId, { phone_number: number });
  await calling.db.query(`UPDATE database_identity SET database_oid = '1'`);
  await calling.world.startApi();
  await resume().expect(201);
  expect([await entries(), await ends()]).toEqual(before);
});

test('an incomplete last line is ignored; any other damage refuses to resume', async () => {
  await list([nextNumber()]);
  const [file] = files() as [string];
  appendFileSync(file, '{"at":"2026-');
  await forget();
  await resume().expect(201);
  await forget();
  appendFileSync(file, '\n');
  const refused = await resume();
  expect([refused.status, refused.body]).toEqual([
    409,
    { error: expect.stringMatching(/^The journal is damaged: .*\.jsonl, line 3: /) as string },
  ]);
});

test('a change that the journal cannot record is 503, and can be repeated', async () => {
  const phoneNumber = nextNumber();
  const missing = join(directory, 'missing');
  calling.world.config.journalDir = missing;
  await expect(calling.world.startApi()).rejects.toThrow('JOURNAL_DIR: is no directory');
  const path = `/teams/${caller.teamId}/do-not-call`;
  const { id } = await buildContact(calling.db, caller.teamId, { phone_number: nextNumber() });
  // The file of the day goes, and no other can be made.
  await calling.api.get(Journal, { strict: false }).onApplicationShutdown();
  const refused = [await calling.operator('post', path, { phoneNumbers: [phoneNumber] }), await erase(id)];
  expect(refused.map(({ status }) => status)).toEqual([503, 503]);
  calling.world.config.journalDir = directory;
  const repeated = await calling.operator('post', path, { phoneNumbers: [phoneNumber] });
  expect([repeated.status, repeated.body]).toMatchObject([201, { added: 0, rejected: [] }]);
  await erase(id).expect(404);
  expect(written().map(({ kind }) => kind)).toEqual(['do_not_call.added', 'contact.erased']);
});

test('a replay restores limited entries with their source, and the platform’s list', async () => {
  const [limited, removed, everywhere, freed] = [nextNumber(), nextNumber(), nextNumber(), nextNumber()];
  const { id: contactId } = await buildContact(calling.db, caller.teamId, { phone_number: limited });
  const scope = { scope: 'agent', agentId: caller.agentId };
  const own = (phoneNumbers: string[], more: object = {}) =>
    calling
      .http()
      .post('/api/do-not-call')
      .set(bearer(caller.apiKey))
      .send({ phoneNumbers, ...scope, ...more })
      .expect(201);
  await own([limited, removed], { expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  const path = `/api/do-not-call/${removed}?scope=agent&agentId=${caller.agentId}`;
  await calling.http().delete(path).set(bearer(caller.apiKey)).expect(204);
  await calling.operated('post', '/do-not-call', { phoneNumbers: [everywhere, freed] });
  await calling.operated('delete', `/do-not-call/${freed}`);
  const text = files()
    .map((file) => readFileSync(file, 'utf8'))
    .join('');
  expect([limited, everywhere].filter((number) => text.includes(number.slice(1)))).toEqual([]);
  await calling.db.query('DELETE FROM limited_do_not_call');
  await calling.db.query('DELETE FROM platform_do_not_call');
  await calling.db.query('UPDATE teams SET has_limited_do_not_call = false');
  await forget();
  await resume().expect(201);
  const other = await buildCaller(calling.db);
  for (const [by, phoneNumber] of [
    [caller, limited],
    [caller, everywhere],
    [other, everywhere],
  ] as const) {
    expect((await calling.trigger(by, { phoneNumber })).body).toMatchObject({ reason: 'DO_NOT_CALL' });
  }
  await calling.trigger(caller, { phoneNumber: removed }).expect(200);
  await calling.trigger(other, { phoneNumber: freed }).expect(200);
  await calling.trigger(other, { phoneNumber: limited }).expect(200);
  const ledger = await calling
    .http()
    .get(`/api/do-not-call/history?phoneNumber=${encodeURIComponent(limited)}`)
    .set(bearer(caller.apiKey));
  expect((ledger.body as { items: object[] }).items).toMatchObject([
    { source: 'request', scope: 'agent', reason: 'replayed from the journal after a restore' },
    { source: 'request', scope: 'agent', reason: null },
  ]);
  expect(contactId).toBeDefined();
});

test('a removal that the journal cannot record leaves the number listed, and can be repeated', async () => {
  const phoneNumber = nextNumber();
  const path = `/teams/${caller.teamId}/do-not-call/${phoneNumber}`;
  await list([phoneNumber]);
  await calling.api.get(Journal, { strict: false }).onApplicationShutdown();
  calling.world.config.journalDir = join(directory, 'missing');
  await calling.operator('delete', path).expect(503);
  await calling.operator('get', path).expect(200);
  calling.world.config.journalDir = directory;
  await calling.operator('delete', path).expect(204);
  await calling.operator('get', path).expect(404);
  const kinds = written().map(({ kind }) => kind);
  expect(kinds.sort()).toEqual(['do_not_call.added', 'do_not_call.removed']);
});

test('each part of a long list that was added is recorded, also if a later part fails', async () => {
  const numbers = Array.from({ length: 201 }, nextNumber).sort();
  const holder = await LockHolder.connect(calling);
  const cancel = () =>
    holder.query(`
      SELECT pg_cancel_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`);
  let isAnswered = false;
  const [answer] = await holder.whileHeld(
    () => holder.number(caller, numbers.at(-1) ?? ''),
    () => [
      calling
        .operator('post', `/teams/${caller.teamId}/do-not-call`, { phoneNumbers: numbers })
        .then((it) => {
          isAnswered = true;
          return it;
        }),
    ],
    // Between two attempts nothing waits that could be canceled.
    () =>
      eventually(
        async () => {
          await cancel();
          return isAnswered;
        },
        (answered) => answered,
      ),
  );
  await holder.close();
  expect(answer?.status).toBe(503);
  const listed = await calling.db.query<object[]>('SELECT FROM do_not_call WHERE team_id = $1', [
    caller.teamId,
  ]);
  expect(listed).toHaveLength(200);
  expect(written().map((record) => record.numbers?.length)).toEqual([200]);
});

test('files older than JOURNAL_DAYS are removed when a new one is created', async () => {
  const old = join(directory, '2020-01-01-host-1-abcd.jsonl');
  const others = join(directory, 'notes.txt');
  writeFileSync(old, '');
  writeFileSync(others, '');
  await calling.world.startApi();
  expect(files()).toContain(others);
  expect(files()).not.toContain(old);
});

test('commands write to the journal, and need its key', async () => {
  const phoneNumber = nextNumber();
  const database = { url: calling.world.config.databaseUrl, drop: () => Promise.resolve() };
  const cli = new CliTerminal(database, { JOURNAL_DIR: directory, ERASURE_KEY: KEY });
  await cli.run('dnc', 'add', '--team', caller.teamId, phoneNumber);
  expect(written()).toEqual([expect.objectContaining({ kind: 'do_not_call.added', teamId: caller.teamId })]);
  const keyless = new CliTerminal(database, { JOURNAL_DIR: directory });
  expect((await keyless.run('team', 'list')).told).toContain('ERASURE_KEY: is not set; JOURNAL_DIR needs it');
});
