import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Pool } from 'pg';
import { type Build, thisBuild } from '../builds/built-commit.js';
import { Deployment } from '../builds/deployment.js';
import { type Servers, startServers } from '../builds/servers.js';
import { migrate } from '../../src/database/migrate.js';
import { apiKeyOf, fill, type Group } from './data.js';
import { exportLists } from './exports.js';
import { idsOf, triggers } from './requests.js';
import { load, type NextRequest } from './load.js';
import { type Side } from './scale-calls-report.js';
import { bytesOf, ended, forget, now, settled } from './scale-database.js';
import { readsOf } from './scale-reads.js';
import { CONCURRENCY, CONNECTIONS } from './slices.js';
import { callable, fillYear, findTemplate, type Year } from './year.js';

const TEAMS = 10;
/** What the other database is compared with: contacts enough to call each once, and little else. */
const SMALL = { name: 'scale_small', calls: 1_000, pending: 0, contacts: 150_000, teams: TEAMS };
/** The simulator's calls end at once. */
const AT_ONCE = { SIMULATOR_ACCEPT_MS: '0', SIMULATOR_RING_MS: '0', SIMULATOR_TALK_MS: '0' };
/** While it is filled: nothing but speed counts. */
const FILLING = {
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  fsync: 'off',
  max_wal_size: `'2GB'`,
};
const WARM_UP_SECONDS = 2;
/** Each is asked for so often in a round. */
const READS = 8;

export interface ScaleOptions {
  calls: number;
  /** A directory for the servers with their data, which stays, or undefined. */
  keep: string | undefined;
  fillOnly: boolean;
  rounds: number;
  seconds: number;
}

/** One of the two databases, with processes of its own. */
interface Contestant extends Side {
  deployment: Deployment;
  next: NextRequest;
  reads: Awaited<ReturnType<typeof readsOf>>;
}

/**
 * Measures an almost empty database and one with a year of calls in turn, on the same servers.
 *
 * @returns null where it was only filled.
 */
export async function scaleCalls(options: ScaleOptions): Promise<[small: Side, large: Side] | null> {
  const directory = options.keep ?? (await mkdtemp(join(tmpdir(), 'outdial-scale-')));
  let servers = await startServers('scale', directory);
  const close = async () => {
    await servers.close();
    if (options.keep === undefined) await rm(directory, { recursive: true, force: true });
  };
  const stop = () => void close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await rm(join(directory, 'this'), { recursive: true, force: true });
    const build = await thisBuild(join(directory, 'this'));
    const year = yearOf(options.calls);
    if (!(await isFilled(servers.db, year))) {
      await configure(servers.db, FILLING);
      await servers.close();
      servers = await startServers('scale', directory);
      await fillBoth(servers, build, year);
    }
    // A directory of an earlier run may lack migrations.
    for (const name of [SMALL.name, 'scale_large']) await migrate(servers.urlOf(name));
    await servers.db.query('ALTER SYSTEM RESET ALL');
    await configure(servers.db, { autovacuum: 'off' });
    await servers.close();
    servers = await startServers('scale', directory);
    return await measure(servers, build, year, options);
  } finally {
    await close();
  }
}

function yearOf(calls: number): Year {
  const contacts = Math.max(200_000, Math.floor(calls / 10));
  return { calls, contacts, pending: Math.floor(contacts / 5), teams: TEAMS };
}

async function configure(db: Pool, settings: Record<string, string | number>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) await db.query(`ALTER SYSTEM SET ${name} = ${value}`);
}

/** @throws if the directory holds another number of calls. */
async function isFilled(db: Pool, { calls }: Year): Promise<boolean> {
  await db.query('CREATE TABLE IF NOT EXISTS scale_filled (calls bigint)');
  const { rows } = await db.query<{ calls: number }>('SELECT calls::float8 FROM scale_filled');
  const [filled] = rows;
  if (filled !== undefined && filled.calls !== calls) {
    throw new Error(
      `The directory of --keep holds ${filled.calls} calls: remove it, or say --calls ${filled.calls}`,
    );
  }
  return filled !== undefined;
}

async function fillBoth(servers: Servers, build: Build, year: Year): Promise<void> {
  for (const name of [SMALL.name, 'scale_large'])
    await servers.db.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await servers.redis.flushall();
  console.error('Filling the almost empty database …');
  const small = await Deployment.start(servers, build, SMALL.name, environment());
  try {
    await fill(small.db, [{ ...SMALL, firstTeam: 0, firstContact: 0 }]);
    const next = triggers(small.url, callableOf(SMALL), await idsOf(small.db, [callableOf(SMALL)]));
    const started = await now(small.db);
    await load(small.url, CONNECTIONS, 1, next);
    await ended(small.db, started);
    const template = await findTemplate(small.db);
    await forget(small.db, started);
    console.error(`Filling the other with ${year.calls} calls …`);
    const large = await Deployment.start(servers, build, 'scale_large', environment(), []);
    await fillYear(large.db, year, template).finally(() => large.close());
  } finally {
    await small.close();
  }
  await servers.db.query('INSERT INTO scale_filled VALUES ($1)', [year.calls]);
  await servers.db.query('CHECKPOINT');
}

const sizeOf = ({ calls, pending, contacts }: typeof SMALL | Year) => ({ calls, pending, contacts });

/** The contacts of a database that are called. */
function callableOf(of: typeof SMALL | Year): Group {
  if ('name' in of) return { ...of, firstTeam: 0, firstContact: of.calls, contacts: of.contacts - of.calls };
  return callable(of);
}

function environment(): NodeJS.ProcessEnv {
  return {
    ...AT_ONCE,
    API_RATE_LIMIT: '100000',
    WORKER_CONCURRENCY: String(CONCURRENCY),
  };
}

async function measure(
  servers: Servers,
  build: Build,
  year: Year,
  { fillOnly, rounds, seconds }: ScaleOptions,
): Promise<[Side, Side] | null> {
  const small = await enter(servers, build, SMALL.name, SMALL);
  const large = await enter(servers, build, 'scale_large', year).catch(async (error: unknown) => {
    await small.deployment.close();
    throw error;
  });
  try {
    // The worker looks for calls whose wake-ups Redis does not have.
    await settled(servers, 'scale_large');
    for (const { deployment } of [small, large]) deployment.worker.freeze();
    if (fillOnly) return null;
    for (let round = 0; round <= rounds; round += 1) {
      for (const side of round % 2 === 0 ? [small, large] : [large, small]) {
        await play(side, seconds, round > 0);
      }
      console.error(round === 0 ? 'warm-up done' : `round ${round} of ${rounds} done`);
    }
    const { url, api: program } = large.deployment;
    large.exports = await exportLists({ url, program }, apiKeyOf(0));
    return [small, large];
  } finally {
    await Promise.all([small.deployment.close(), large.deployment.close()]);
  }
}

async function enter(
  servers: Servers,
  build: Build,
  name: string,
  of: typeof SMALL | Year,
): Promise<Contestant> {
  const deployment = await Deployment.prepare(servers, build, name, servers.urlOf(name), environment());
  try {
    await Promise.all([deployment.api.start(), deployment.worker.start()]);
    const group = callableOf(of);
    const ids = await idsOf(deployment.db, [group]);
    const contact = 'name' in of ? 0 : Math.floor(of.contacts * 0.9);
    return {
      deployment,
      next: triggers(deployment.url, group, ids),
      reads: await readsOf(deployment, contact % TEAMS, contact),
      ...sizeOf(of),
      bytes: await bytesOf(deployment.db),
      triggers: [],
      firings: [],
      times: new Map<string, number[][]>(),
      exports: new Map(),
    };
  } catch (error) {
    await deployment.close();
    throw error;
  }
}

/** Triggers calls, lets the worker dial them, and reads; nothing is left of it. */
async function play(side: Contestant, seconds: number, counts: boolean): Promise<void> {
  const { deployment, next, reads } = side;
  const { db, url, worker } = deployment;
  await db.query('CHECKPOINT');
  const started = await now(db);
  await triggered(url, WARM_UP_SECONDS, next);
  const { requests, seconds: took, latencies } = await triggered(url, seconds, next);
  const began = performance.now();
  worker.thaw();
  const calls = await ended(db, started);
  const firing = calls / ((performance.now() - began) / 1_000);
  worker.freeze();
  for (const read of reads) {
    const times: number[] = [];
    for (let n = 0; n < (read.times ?? READS); n += 1) times.push(await read.ask());
    if (counts) side.times.set(read.name, [...(side.times.get(read.name) ?? []), times]);
  }
  if (counts) {
    side.triggers.push({ perSecond: requests / took, latencies });
    side.firings.push(firing);
  }
  await forget(db, started);
}

async function triggered(url: string, seconds: number, next: NextRequest) {
  const result = await load(url, CONNECTIONS, seconds, next);
  if (Object.keys(result.statuses).some((status) => status !== '200'))
    throw new Error(JSON.stringify(result.statuses));
  return result;
}
