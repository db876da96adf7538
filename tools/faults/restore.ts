import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pause } from '../services/run.js';
import { settle } from './collect-history.js';
import { dump, restore } from './dump.js';
import { OPERATOR_TOKEN } from './environments.js';
import { Random } from './random.js';
import { LATER, type Tenant } from './tenants.js';
import { Traffic } from './traffic.js';
import { World } from './world.js';

/** By this name `--only` chooses it. */
export const RESTORE = 'database restored from a dump, Redis empty';

const CALLS_PER_SECOND = 8;
const BEFORE_MS = 8_000;
const AFTER_MS = 8_000;
/** Long enough for a worker that wrongly dials. */
const PAUSED_MS = 5_000;
const OPT_OUTS = 10;

export interface RestoreOptions {
  seed: number;
  logDirectory?: string;
  settleMs: number;
  log: (line: string) => void;
}

/** What happened after the dump, and must hold after the restore. */
interface Since {
  optedOut: string[];
  erased: string[];
}

/**
 * Loses the database beside traffic, and goes on with a dump that is a few seconds old and an empty Redis. No
 * call is dialed twice, and no opt-out or erasure since the dump is forgotten.
 *
 * @returns what went wrong.
 */
export async function runRestore({ seed, logDirectory, settleMs, log }: RestoreOptions): Promise<string[]> {
  const random = new Random(seed);
  const journal = await mkdtemp(join(tmpdir(), 'outdial-journal-'));
  const env = { JOURNAL_DIR: journal, ERASURE_KEY: 'erasure-key-of-the-faults' };
  const world = await World.create({ random, calls: 1_000, logDirectory, env });
  try {
    return await play(world, random, settleMs, log);
  } finally {
    await world.close();
    await rm(journal, { recursive: true, force: true });
  }
}

async function play(
  world: World,
  random: Random,
  settleMs: number,
  log: (line: string) => void,
): Promise<string[]> {
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string) => void (holds || problems.push(problem));
  const tenant = world.tenants[0] as Tenant;
  const api = new Api(world.client.apiUrl, tenant);
  const traffic = new Traffic(world, random);
  const placing = traffic.run(CALLS_PER_SECOND);
  // Contacts of the dump: some are erased after it, some opt out.
  const known = Array.from({ length: OPT_OUTS }, () => world.numbers.next());
  const contacts = await Promise.all(known.map((number) => api.createContact(number)));
  await pause(BEFORE_MS);
  const saved = await dump(world.db);
  const dialsAtDump = (await world.dials()).length;
  const since = await happenings(world, tenant, api, known, contacts);
  await pause(AFTER_MS);
  traffic.stop();
  await placing;
  for (const { program } of world.nodes) await program.kill();
  const before = await world.dials();
  await restore(world.postgres.url(), saved);
  await world.redis.run((redis) => redis.flushall());
  for (const { program } of world.nodes) await program.start();

  // Paused: requests are accepted, and nothing is dialed.
  const accepted = await world.client.trigger(tenant, world.numbers.next('completed'));
  expect(accepted.status === 200, `a call after the restore was answered ${accepted.status}`);
  await pause(PAUSED_MS);
  expect(
    (await world.dials()).length === before.length,
    'something was dialed while the platform was paused',
  );
  const refused = await api.resume();
  expect(refused.status === 409, `resuming at once was answered ${refused.status}`);
  const { restore: noticed } = (await api.operator('GET', '/restore')) as {
    restore: { callsToCheck: number } | null;
  };
  expect(noticed !== null, 'the restore was not noticed');
  await world.moveClock(LATER);
  const resumed = await api.resume();
  expect(resumed.status === 201, `resuming after 12 hours: ${resumed.status} ${resumed.text}`);
  for (const number of since.optedOut) {
    const { reason } = await world.client.trigger(tenant, number);
    expect(reason === 'DO_NOT_CALL', `an opt-out since the dump was forgotten: ${reason ?? 'accepted'}`);
  }
  for (const contact of since.erased) {
    const status = await api.statusOf(`/api/contacts/${contact}`);
    expect(status === 404, `an erasure since the dump was forgotten: ${status}`);
  }
  const open = await settle(world, settleMs);
  expect(open === 0, `${open} calls did not come to an end`);

  const dials = await world.dials();
  const times = new Map<string, number>();
  for (const { callRequestId } of dials) times.set(callRequestId, (times.get(callRequestId) ?? 0) + 1);
  const twice = [...times].filter(([, count]) => count > 1);
  expect(twice.length === 0, `dialed twice: ${twice.map(([id]) => id).join(', ')}`);
  const listed = dials.slice(before.length).filter(({ to }) => since.optedOut.includes(to));
  expect(listed.length === 0, `dialed after an opt-out: ${listed.length}`);
  const ended = dials.some(({ callRequestId }) => callRequestId === accepted.callRequestId);
  expect(ended, 'a call of after the restore was never dialed');
  log(
    `  ${dialsAtDump} dials at the dump, ${before.length} at the loss, ${dials.length} in the end; ` +
      `${noticed?.callsToCheck ?? 0} calls were named for a look`,
  );
  return problems;
}

/**
 * Of the contacts of the dump the first half opt out, the others are erased; numbers that the dump does not
 * know opt out, too.
 */
async function happenings(
  world: World,
  tenant: Tenant,
  api: Api,
  known: string[],
  contacts: string[],
): Promise<Since> {
  const half = OPT_OUTS / 2;
  const optedOut = [...known.slice(0, half), ...Array.from({ length: half }, () => world.numbers.next())];
  await world.client.addToDoNotCall(tenant, optedOut);
  const erased = contacts.slice(half);
  for (const contact of erased) await api.statusOf(`/api/contacts/${contact}`, 'DELETE');
  return { optedOut, erased };
}

/** What the scenario asks beside calls. */
class Api {
  constructor(
    private readonly url: string,
    private readonly tenant: Tenant,
  ) {}

  async createContact(phoneNumber: string): Promise<string> {
    const answer = await this.ask('POST', '/api/contacts', this.tenant.apiKey, {
      phoneNumber,
      name: 'Grace',
    });
    return String((JSON.parse(answer.text) as { contactId: string }).contactId);
  }

  async statusOf(path: string, method = 'GET'): Promise<number> {
    return (await this.ask(method, path, this.tenant.apiKey)).status;
  }

  resume(): Promise<{ status: number; text: string }> {
    return this.ask('POST', '/api/admin/resume', OPERATOR_TOKEN);
  }

  async operator(method: string, path: string): Promise<unknown> {
    return JSON.parse((await this.ask(method, `/api/admin${path}`, OPERATOR_TOKEN)).text);
  }

  private async ask(
    method: string,
    path: string,
    token: string,
    body?: object,
  ): Promise<{ status: number; text: string }> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(this.url + path, { method, headers, body: body && JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  }
}
