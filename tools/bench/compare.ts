import { join } from 'node:path';
import { type Build, otherBuild, thisBuild } from '../builds/built-commit.js';
import { Deployment, peakMemoryOf } from '../builds/deployment.js';
import { type Servers, startServers } from '../builds/servers.js';
import { cpuOf } from './cpu.js';
import { bytesOfCall } from './calls-of-build.js';
import { compareReport, type Rounds, type Side } from './compare-report.js';
import { CONCURRENCY } from './slices.js';
import { type Used, Workload } from './workload.js';

/**
 * After this no further round is begun: the command ends within half an hour on a machine that is busy with
 * other things, too.
 */
const LAST_ROUND_AFTER_MS = 22 * 60_000;

interface Contestant {
  deployment: Deployment;
  workload: Workload;
  rounds: Rounds;
}

/**
 * Measures this build and another one in turn, A B B A and B A A B, in short slices. What makes the machine
 * slower for a while makes it slower for both. The processes of the build that is not measured stand still.
 *
 * @param against see `otherBuild`.
 * @returns the report, in Markdown.
 */
export async function compare(against: string, rounds: number, seconds: number): Promise<string> {
  const other = await otherBuild(against);
  const servers = await startServers('compare');
  const contestants: Contestant[] = [];
  const close = async () => {
    await Promise.all(contestants.map(({ deployment }) => deployment.close()));
    await servers.close();
  };
  const stop = () => void close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    // Vacuuming happens between the slices, never in one.
    await servers.db.query('ALTER SYSTEM SET autovacuum = off');
    await servers.db.query('SELECT pg_reload_conf()');
    const ours = await thisBuild(join(servers.directory, 'this'));
    for (const [build, name] of [[ours, 'bench_this'] as const, [other, 'bench_other'] as const]) {
      contestants.push(await enter(servers, build, name));
    }
    const played = await play(contestants, rounds, seconds);
    return compareReport(await Promise.all(contestants.map(sideOf)), { rounds: played, seconds });
  } finally {
    await close();
  }
}

async function enter(servers: Servers, build: Build, name: string): Promise<Contestant> {
  const env = {
    // The rate limit checks every request, and never refuses one.
    API_RATE_LIMIT: '100000',
    WORKER_CONCURRENCY: String(CONCURRENCY),
    SIMULATOR_ACCEPT_MS: '0',
    SIMULATOR_RING_MS: '0',
    SIMULATOR_TALK_MS: '0',
  };
  const deployment = await Deployment.start(servers, build, name, env);
  const postgres = () => cpuOf(servers.postgresPid, true);
  const workload = await Workload.prepare(deployment, postgres);
  return { deployment, workload, rounds: new Map() };
}

/** @returns how many rounds there was time for. */
async function play(contestants: Contestant[], rounds: number, seconds: number): Promise<number> {
  const started = performance.now();
  const [a, b] = contestants;
  if (!a || !b) throw new Error('two builds are compared');
  // The first round opens connections, compiles and fills caches.
  for (let round = 0; round <= rounds; round += 1) {
    if (performance.now() - started > LAST_ROUND_AFTER_MS) {
      console.error(`The machine is too busy for more than ${round - 1} rounds.`);
      return round - 1;
    }
    const order = round === 0 ? [a, b] : round % 2 === 1 ? [a, b, b, a] : [b, a, a, b];
    for (const kind of Workload.kinds) {
      const used = new Map<Contestant, Map<string, Used[]>>();
      for (const contestant of order) {
        for (const [name, slice] of await contestant.workload.run(kind, seconds)) {
          const slices = used.get(contestant) ?? new Map<string, Used[]>();
          used.set(contestant, slices.set(name, [...(slices.get(name) ?? []), slice]));
        }
      }
      if (round > 0) used.forEach((slices, contestant) => remember(contestant, slices));
    }
    console.error(round === 0 ? 'warm-up done' : `round ${round} of ${rounds} done`);
  }
  return rounds;
}

function remember({ rounds }: Contestant, slices: Map<string, Used[]>): void {
  for (const [name, used] of slices) {
    const sum = (field: keyof Used) => used.reduce((total, slice) => total + slice[field], 0);
    const together = {
      requests: sum('requests'),
      seconds: sum('seconds'),
      nodeUs: sum('nodeUs'),
      postgresUs: sum('postgresUs'),
      walBytes: sum('walBytes'),
    };
    rounds.set(name, [...(rounds.get(name) ?? []), together]);
  }
}

async function sideOf({ deployment, rounds }: Contestant): Promise<Side> {
  const { label, api, worker, db } = deployment;
  const peak = { api: peakMemoryOf(api), worker: peakMemoryOf(worker) };
  return { label, rounds, peak, bytesOfCall: await bytesOfCall(db) };
}
