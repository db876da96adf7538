import { Calling, NEVER_MS } from '../support/calling.js';
import { buildContact, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Config } from '../../src/config/config.js';
import { ErasureKeyCheck } from '../../src/erasure/erasure-key.check.js';
import { FireService } from '../../src/calls/fire/fire.service.js';
import { CliTerminal } from '../cli/terminal.js';
import { type TestDatabase } from '../support/database.js';

const KEY = 'erasure-key-of-the-tests';

let calling: Calling;
let caller: Caller;

beforeEach(async () => {
  calling = await Calling.start();
  caller = await buildCaller(calling.db);
});
afterEach(() => calling.close());

const erase = async (key: string | undefined) => {
  calling.world.config.erasureKey = key;
  const { id } = await buildContact(calling.db, caller.teamId);
  return calling.operator('delete', `/teams/${caller.teamId}/contacts/${id}`);
};

test('without a key no contact is erased, and processes start', async () => {
  const refused = (await erase(undefined)) as { status: number; body: unknown };
  expect(refused).toMatchObject({
    status: 409,
    body: { error: 'Contacts cannot be erased: ERASURE_KEY is not set' },
  });
  const contacts = await calling.db.query<object[]>('SELECT FROM contacts WHERE erased_at IS NOT NULL');
  expect(contacts).toEqual([]);
  await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
});

test('after the first erasure, no process starts without the key or with another one', async () => {
  expect((await erase(KEY)).status).toBe(204);
  const { config } = calling.world;
  for (const [key, message] of [
    [undefined, 'ERASURE_KEY: is not set; the database holds erased numbers'],
    [
      'another-key-of-the-tests',
      'ERASURE_KEY: is not the key with which the numbers of this database were erased',
    ],
  ] as const) {
    config.erasureKey = key;
    await expect(calling.world.startApi()).rejects.toThrow(`Invalid environment variables:\n  ${message}`);
  }
  config.erasureKey = KEY;
  const worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
  // The worker's own check, with the configuration of a worker without the key.
  worker.get(Config).erasureKey = undefined;
  await expect(worker.get(ErasureKeyCheck, { strict: false }).onModuleInit()).rejects.toThrow('is not set');
  expect((await erase('another-key-of-the-tests')).body).toEqual({
    error: 'Contacts cannot be erased: ERASURE_KEY is not the key with which numbers were erased before',
  });
});

test.each([undefined, 'another-key-of-the-tests'])(
  'a process that started earlier with the key %j decides no call of the team',
  async (key) => {
    const worker = await calling.startIdleWorker();
    const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
    expect((await erase(KEY)).status).toBe(204);
    const other = await buildCaller(calling.db);
    calling.world.config.erasureKey = key;
    const refused = await calling.trigger(caller, { phoneNumber: nextNumber() });
    expect([refused.status, refused.body]).toEqual([500, expect.objectContaining({ reason: 'INTERNAL' })]);
    expect(await calling.rows(caller.teamId)).toHaveLength(1);
    // Requests of other teams in the same batch are not affected.
    const answers = await Promise.all(
      [other, caller, other].map((by) => calling.trigger(by, { phoneNumber: nextNumber() })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 200]);
    await expect(worker.app.get(FireService).fire({ callRequestId: id, generation: 0 })).rejects.toThrow(
      'ERASURE_KEY',
    );
    expect((await calling.row(id)).status).toBe('queued');
  },
);

test('the command erases and looks up numbers with the key of its environment', async () => {
  const { phone_number: phoneNumber, id } = await buildContact(calling.db, caller.teamId);
  await calling.operated('post', `/teams/${caller.teamId}/do-not-call`, { phoneNumbers: [phoneNumber] });
  const database = { url: calling.world.config.databaseUrl } as TestDatabase;
  const team = ['--team', caller.teamId];
  const keyless = new CliTerminal(database);
  expect(await keyless.run('contact', 'erase', id, ...team)).toMatchObject({
    code: 1,
    told: expect.stringContaining('ERASURE_KEY is not set') as string,
  });
  const cli = new CliTerminal(database, { ERASURE_KEY: KEY });
  expect(await cli.run('contact', 'erase', id, ...team)).toMatchObject({ code: 0, out: 'Erased.' });
  expect(await cli.run('contact', 'erase', id, ...team)).toMatchObject({
    code: 1,
    told: expect.stringContaining('Contact not found') as string,
  });
  expect((await cli.run('dnc', 'check', phoneNumber, ...team)).out).toContain(
    `${phoneNumber} is on the list`,
  );
  expect(await keyless.run('dnc', 'check', phoneNumber, ...team)).toMatchObject({
    code: 1,
    told: expect.stringContaining('ERASURE_KEY') as string,
  });
  expect((await keyless.run('team', 'list')).code).toBe(0);
  const weak = new CliTerminal(database, { ERASURE_KEY: 'change-me-change-me' });
  expect(await weak.run('contact', 'erase', id, ...team)).toMatchObject({
    code: 2,
    told: expect.stringContaining('ERASURE_KEY: must not be a placeholder') as string,
  });
});
