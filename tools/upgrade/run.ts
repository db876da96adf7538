/**
 * `npm run test:upgrade [-- --against <commit or path of another build>] [--calls 100000] [--rate 20]
 * [--seconds 8]`: upgrades a deployment of that build to this one beside traffic, and goes back. Without
 * `--against`, it is the build of the oldest commit that an upgrade leads from, the first with the baseline.
 * Migrations run beside the old build, then the worker is replaced, then the API; at the end the old build runs
 * on the new schema. Exits with 1 if a request failed, a statement waited for a table for over a second, or a call
 * was not dialed exactly once.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Build, otherBuild, thisBuild } from '../builds/built-commit.js';
import { Deployment } from '../builds/deployment.js';
import { type Servers, startServers } from '../builds/servers.js';
import { createTenant } from '../builds/tenant.js';
import { repositoryRoot } from '../services/paths.js';
import { mustRun, run } from '../services/run.js';
import { growCalls } from './grow.js';
import { check, settle } from './check.js';
import { LockSampler } from './lock-sampler.js';
import { Traffic } from './traffic.js';

const MIGRATION_TIMEOUT_MS = 20 * 60_000;

interface Options {
  calls: number;
  rate: number;
  seconds: number;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      against: { type: 'string' },
      calls: { type: 'string', default: '100000' },
      rate: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '8' },
    },
  });
  const options = {
    calls: Number(values.calls),
    rate: Number(values.rate),
    seconds: Number(values.seconds),
  };
  const old = await otherBuild(values.against ?? (await firstWithBaseline()));
  console.error(`From the build ${old.label}`);
  const servers = await startServers('upgrade');
  const stop = () => void servers.close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const problems = await upgrade(servers, old, await thisBuild(join(servers.directory, 'this')), options);
    console.log(problems.length === 0 ? 'No request failed, each call was dialed once' : problems.join('\n'));
    return problems.length === 0 ? 0 : 1;
  } finally {
    await servers.close();
  }
}

async function upgrade(servers: Servers, old: Build, next: Build, options: Options): Promise<string[]> {
  const dialLog = join(servers.directory, 'dials.log');
  const env = {
    SIMULATOR_DIAL_LOG: dialLog,
    SIMULATOR_ACCEPT_MS: '50',
    SIMULATOR_RING_MS: '50',
    SIMULATOR_TALK_MS: '200',
    API_RATE_LIMIT: '0',
  };
  const before = await Deployment.start(servers, old, 'upgrade', env);
  const after = await Deployment.prepare(servers, next, 'upgrade', before.databaseUrl, env);
  const tenant = await createTenant(before.url, 'Team');
  const traffic = new Traffic([before.url], tenant);
  const phase = async (name: string, work: () => Promise<unknown>) => {
    traffic.phase = name;
    const startedAt = performance.now();
    await work();
    console.error(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    await pause(options.seconds * 1_000);
  };
  traffic.start(options.rate);
  try {
    await phase('the old build', () => pause(options.seconds * 1_000));
    traffic.phase = 'growing';
    await growCalls(before.db, options.calls);
    const locks = new LockSampler(after.db);
    try {
      await phase('migrations beside the old build', () => migrate(next, before.databaseUrl));
    } finally {
      await locks.stop();
    }
    await phase('the new worker beside the old API', async () => {
      await after.worker.start();
      await before.worker.terminate();
    });
    await phase('both APIs', async () => {
      await after.api.start();
      await traffic.moveTo(before.url, after.url);
    });
    await phase('the new build', async () => {
      await traffic.moveTo(after.url);
      await before.api.terminate();
    });
    await phase('the old build on the new schema', async () => {
      await before.api.start();
      await traffic.moveTo(before.url);
      await after.api.terminate();
      await before.worker.start();
      await after.worker.terminate();
    });
    await traffic.stop();
    await settle(before.db, traffic.accepted);
    console.log(reportOf(traffic, locks));
    return await check(before.db, traffic, locks, dialLog);
  } finally {
    await traffic.stop();
    await Promise.all([before.close(), after.close()]);
  }
}

/** The commit that added the first migration; `HEAD` if the history does not tell. */
async function firstWithBaseline(): Promise<string> {
  const first = readdirSync(join(repositoryRoot(), 'migrations'))
    .sort()
    .find((file) => /^\d+-.*\.ts$/.test(file));
  const log = ['log', '--diff-filter=A', '--format=%H', '--', `migrations/${first}`];
  const { output } = await run('git', ['-C', repositoryRoot(), ...log]);
  return output.trim().split('\n').at(-1) || 'HEAD';
}

function migrate({ dist }: Build, databaseUrl: string): Promise<string> {
  const args = [join(dist, 'tools', 'migrate.js')];
  return mustRun(process.execPath, args, {
    env: { DATABASE_URL: databaseUrl },
    timeoutMs: MIGRATION_TIMEOUT_MS,
  });
}

function reportOf({ times, accepted }: Traffic, locks: LockSampler): string {
  const rows = [...times].map(
    ([name, { requests, longest }]) => `| ${name} | ${requests} | ${Math.round(longest)} ms |`,
  );
  return [
    '| phase | requests | longest |',
    '| --- | --- | --- |',
    ...rows,
    '',
    `${accepted.length} calls accepted.`,
    `Longest wait of the processes for a table during the migrations: ${Math.round(locks.processes.ms)} ms ${locks.processes.what}`,
    `Of the migrations themselves: ${Math.round(locks.migrator.ms)} ms ${locks.migrator.what}`,
    `${locks.looks} looks, ${Math.round(locks.longestGapMs)} ms between two at most.`,
  ].join('\n');
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.stack : error);
    process.exitCode = 1;
  },
);
