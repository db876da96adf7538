import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createApi } from '../../src/api.js';
import { newSecret } from '../../src/events/webhooks/secret.js';
import { isSealed } from '../../src/secrets/secrets.js';
import { WorkerModule } from '../../src/worker.module.js';
import { CliTerminal } from '../cli/terminal.js';
import { isSignedBy, Receiver } from '../events/webhooks/receiver.js';
import { all, ENDPOINTS, isResting, Webhooks } from '../events/webhooks/webhooks.js';
import { createWorld } from '../support/app.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { moveClock } from '../support/clock.js';
import { type TestDatabase } from '../support/database.js';
import { CapturedLog } from '../telemetry/log-lines.js';
import { dump, storedOf, storePlain } from './support.js';

/* Endpoints whose secrets are sealed, and workers with several keys, which deliver to a receiver on this host. */

const KEY = 'secrets-key-of-the-tests';
const NEXT_KEY = 'next-secrets-key-of-the-tests';

const webhooks = Webhooks.ofFile({ secretsKey: KEY });
let receiver: Receiver;
let caller: Caller;
let url: string;
let worker: INestApplicationContext | undefined;

beforeEach(async () => {
  caller = await buildCaller(webhooks.db);
  receiver = new Receiver();
  url = await receiver.listen();
});
afterEach(async () => {
  await endWorker();
  await moveClock(webhooks.db, '0');
  await receiver.close();
});

/** Replaces the worker by one with these keys. @returns its log. */
async function restart(secretsKey?: string, secretsKeyPrevious?: string): Promise<CapturedLog> {
  await endWorker();
  const log = new CapturedLog();
  const config = Object.assign({}, webhooks.calling.world.config, { secretsKey, secretsKeyPrevious });
  worker = await NestFactory.createApplicationContext(WorkerModule.forRoot(config), { logger: log.logger });
  return log;
}

async function endWorker(): Promise<void> {
  await worker?.close();
  worker = undefined;
}

/** Writes an event, and waits for it at the receiver. @returns whether each secret signed it. */
async function signersOf(id: string, secrets: string[]): Promise<boolean[]> {
  const before = receiver.received.length;
  await webhooks.writeEvents(caller.teamId, 1);
  await webhooks.until(caller, id, all('delivered', before + 1));
  const last = receiver.received.at(-1)!;
  return secrets.map((secret) => isSignedBy(secret, last));
}

async function rotated(id: string): Promise<string> {
  const answer = await webhooks.ask('post', `${ENDPOINTS}/${id}/rotate-secret`, caller);
  return (answer.body as { secret: string }).secret;
}

const reencrypt = (env: NodeJS.ProcessEnv) =>
  new CliTerminal({ url: webhooks.calling.world.config.databaseUrl } as TestDatabase, env).run(
    'secrets',
    'reencrypt',
  );

test('no column of any row has a secret that the API showed', async () => {
  await restart(KEY);
  const { id, secret } = await webhooks.create(caller, `${url}/dumped`);
  const first = await rotated(id);
  const second = await rotated(id.toUpperCase());
  expect(await signersOf(id, [secret, first, second])).toEqual([false, true, true]);
  const text = await dump(webhooks.db);
  expect(text).toContain(`${url}/dumped`);
  for (const shown of [secret, first, second]) {
    expect(text).not.toContain(shown.replace(/^whsec_/, ''));
    // As bytes are shown.
    expect(text).not.toContain(Buffer.from(shown.replace(/^whsec_/, ''), 'base64').toString('hex'));
  }
});

test('deliveries are signed with the same secrets before, during and after a rotation of the key', async () => {
  await restart(KEY);
  const { id, secret } = await webhooks.create(caller, url);
  expect(await signersOf(id, [secret])).toEqual([true]);
  const second = await rotated(id);
  await restart(NEXT_KEY, KEY);
  expect(await signersOf(id, [secret, second])).toEqual([true, true]);
  const said = await reencrypt({ SECRETS_KEY: NEXT_KEY, SECRETS_KEY_PREVIOUS: KEY });
  expect(said).toMatchObject({ code: 0, told: '' });
  await restart(NEXT_KEY);
  expect(await signersOf(id, [secret, second])).toEqual([true, true]);
  // The API of this file goes on with the key of before.
  await reencrypt({ SECRETS_KEY: KEY, SECRETS_KEY_PREVIOUS: NEXT_KEY });
});

test('endpoints from before the key go on, and their next secret is sealed', async () => {
  const { id } = await webhooks.create(caller, url);
  const plain = newSecret();
  await storePlain(webhooks.db, id, plain);
  await restart(KEY);
  expect(await signersOf(id, [plain])).toEqual([true]);
  const next = await rotated(id);
  const stored = await storedOf(webhooks.db, id);
  expect([isSealed(stored.secret), stored.previous]).toEqual([true, plain]);
  expect(await signersOf(id, [plain, next])).toEqual([true, true]);
});

test('without a key, secrets are stored in plain text, and each process warns at its start', async () => {
  const world = await createWorld();
  try {
    const log = new CapturedLog();
    const api = await createApi(world.config, log.logger);
    await api.init();
    await api.close();
    const warned = [
      {
        level: 'warn',
        msg: expect.stringMatching(/^SECRETS_KEY is not set: .*webhook.*second factor \(TOTP\)/) as string,
      },
    ];
    expect(log.of('Secrets')).toMatchObject(warned);
    expect((await restart()).of('Secrets')).toMatchObject(warned);
    expect((await restart(KEY)).of('Secrets')).toEqual([]);
  } finally {
    await world.close();
  }
  const plain = await Webhooks.start();
  try {
    const { id, secret } = await plain.create(await buildCaller(plain.db), url);
    expect(await storedOf(plain.db, id)).toEqual({ secret, previous: null });
    expect(await dump(plain.db)).toContain(secret);
  } finally {
    await plain.close();
  }
});

test.each([
  ['no key', undefined, 'it is sealed, and SECRETS_KEY is not set'],
  [
    'another key',
    'another-key-of-the-tests',
    'it is sealed under neither SECRETS_KEY nor SECRETS_KEY_PREVIOUS',
  ],
])(
  'with %s a delivery is not sent, the log says why, and it is sent once there is one',
  async (_, key, why) => {
    const { id, secret } = await webhooks.create(caller, url);
    const stored = await storedOf(webhooks.db, id);
    const log = await restart(key);
    await webhooks.writeEvents(caller.teamId, 1);
    const [failed] = await webhooks.until(
      caller,
      id,
      ([one]) => one !== undefined && one.attempts > 0 && isResting(one),
    );
    expect(failed).toMatchObject({ status: 'pending', error: 'internal', responseCode: null });
    const message = `webhook_endpoints.secret cannot be opened: ${why}`;
    expect(log.text).toContain(message);
    for (const hidden of [secret, stored.secret, key ?? KEY]) expect(log.text).not.toContain(hidden);
    expect(receiver.received).toEqual([]);
    await moveClock(webhooks.db, '1 minute');
    await restart(KEY);
    await webhooks.until(caller, id, all('delivered', 1));
    expect(isSignedBy(secret, receiver.received[0]!)).toBe(true);
  },
);

test('a sealed secret that is copied to another endpoint signs nothing there', async () => {
  const one = await webhooks.create(caller, url);
  const other = await webhooks.create(caller, `${url}/other`, { disabled: true });
  await storePlain(webhooks.db, one.id, (await storedOf(webhooks.db, other.id)).secret);
  const log = await restart(KEY);
  await webhooks.writeEvents(caller.teamId, 1);
  await webhooks.until(
    caller,
    one.id,
    ([first]) => first !== undefined && first.attempts > 0 && isResting(first),
  );
  expect(log.text).toContain('webhook_endpoints.secret cannot be opened: it was changed');
  expect(receiver.received).toEqual([]);
});
