import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type DialRecord } from '../../src/carriers/simulator/dial-log.js';
import { type Services } from '../services/ensure.js';
import { defaultDataDir } from '../services/paths.js';
import { freePort } from '../services/ports.js';
import { withRedis } from '../services/redis.js';
import { type ProcessEnd, runMigrations, startProcesses, waitForReady } from '../stack/processes.js';
import { type DemoDatabase, openDemoDatabase } from './database.js';

const READY_TIMEOUT_MS = 60_000;

/** A call that is neither refused nor left unanswered takes a second and a half: believable, and short. */
const SIMULATOR = { SIMULATOR_ACCEPT_MS: '150', SIMULATOR_RING_MS: '500', SIMULATOR_TALK_MS: '900' };

/** Everything that one run of the demo has for itself. */
export interface DemoStack {
  api: string;
  worker: string;
  operatorToken: string;
  /** Of both processes. */
  env: NodeJS.ProcessEnv;
  database: DemoDatabase;
  redisPrefix: string;
  dialLog: string;
  log: string;
  /** Resolves when the API or the worker ends. */
  firstEnd: Promise<ProcessEnd>;
  /** What the simulated carrier was asked to dial, oldest first. */
  dials(): Promise<DialRecord[]>;
}

/**
 * Starts API and worker with a database, a part of Redis, ports and files of their own. Whatever was started
 * is added to `cleanups`, to be undone in reverse order, also if this fails.
 */
export async function startDemoStack(
  services: Services,
  signal: AbortSignal,
  cleanups: (() => Promise<unknown>)[],
): Promise<DemoStack> {
  const run = randomBytes(4).toString('hex');
  const directory = join(defaultDataDir(), 'demo');
  await mkdir(directory, { recursive: true });
  const dialLog = join(directory, `${run}.dials.jsonl`);
  const log = join(directory, `${run}.log`);

  const database = await openDemoDatabase(services.databaseUrl);
  cleanups.push(() => database.close());
  const redisPrefix = `{outdial-demo-${run}}`;
  cleanups.push(() => forget(services.redisUrl, redisPrefix));

  const operatorToken = `demo_${randomBytes(16).toString('hex')}`;
  const [port, workerPort] = [await freePort(), await freePort()];
  const env = environmentOf(process.env, {
    PORT: String(port),
    WORKER_PORT: String(workerPort),
    DATABASE_URL: database.url,
    REDIS_URL: services.redisUrl,
    REDIS_PREFIX: redisPrefix,
    OPERATOR_TOKEN: operatorToken,
    SIMULATOR_DIAL_LOG: dialLog,
  });
  await runMigrations({ env });
  const processes = startProcesses({ env, stdio: 'pipe' });
  const output = createWriteStream(log);
  for (const { child } of [processes.api, processes.worker]) {
    child.stdout?.pipe(output, { end: false });
    child.stderr?.pipe(output, { end: false });
  }
  cleanups.push(() => processes.stop());

  const [api, worker] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${workerPort}`];
  await Promise.race([
    Promise.all([api, worker].map((url) => waitForReady(`${url}/health/ready`, READY_TIMEOUT_MS, signal))),
    processes.firstEnd.then((end) => Promise.reject(endedByItself(end))),
  ]);
  return {
    api,
    worker,
    operatorToken,
    env,
    database,
    redisPrefix,
    dialLog,
    log,
    firstEnd: processes.firstEnd,
    dials: async () => dialsIn(await readFile(dialLog, 'utf8')),
  };
}

export function endedByItself({ name, code }: ProcessEnd): Error {
  return new Error(`The ${name} ended unexpectedly, with code ${code}.`);
}

/** Removes the files of a run that is over. */
export async function removeFiles({ dialLog, log }: DemoStack): Promise<void> {
  await Promise.all([dialLog, log].map((file) => rm(file, { force: true })));
}

/**
 * Nothing of the caller's configuration is passed on: a demo that took over `CARRIER` or the address of a
 * carrier could make telephones ring.
 */
function environmentOf(outer: NodeJS.ProcessEnv, own: Record<string, string>): NodeJS.ProcessEnv {
  const kept = Object.entries(outer).filter(([name]) =>
    /^(PATH|HOME|TMPDIR|LANG|LC_.*|PG.*|NODE_EXTRA_CA_CERTS)$/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    ...SIMULATOR,
    NODE_ENV: 'development',
    NO_COLOR: '1',
    CARRIER: 'simulator',
    ...own,
  };
}

async function forget(redisUrl: string, prefix: string): Promise<void> {
  await withRedis(redisUrl, async (redis) => {
    let cursor = '0';
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `${prefix}*`, 'COUNT', 1_000);
      if (keys.length > 0) await redis.unlink(...keys);
      cursor = next;
    } while (cursor !== '0');
  });
}

function dialsIn(text: string): DialRecord[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as DialRecord);
}
