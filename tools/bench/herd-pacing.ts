import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DialRecord } from '../../src/carriers/simulator/dial-log.js';
import { MEASURED } from './calls-of-build.js';
import { type Group } from './data.js';
import { percentile } from './load.js';
import { callsQueue, drainDue, drained, plantDueCalls, warmUp } from './queue-bench.js';
import { claimsOf, schedule, startWorkers } from './herd-drain.js';
import { type Stack } from './stack.js';

/** How well a limit was kept. */
export interface Pacing {
  what: string;
  wanted: number;
  found: number;
  /** The most that were dialed within any one second, or were under way at any instant. */
  most: number;
  /** From the instant at which a call of this rank was due to its claim, in seconds. */
  lateP99: number;
}

interface Options {
  group: Group;
  limited: Group;
  calls: number;
  workers: number;
}

/** Calls that become due evenly, by claim after the instant of each, in seconds. */
export interface Stream {
  perSecond: number;
  p50: number;
  p99: number;
}

const CALLS_PER_SECOND = 100;
const WARM_UP_CALLS = 1_000;
const STREAM_SECONDS = 30;

export async function measurePacing(stack: Stack, options: Options): Promise<Pacing[]> {
  const perSecond = await carrierLimit(stack, options);
  await stack.clean();
  return [perSecond, await teamLimit(stack, options)];
}

/** Calls that are due one by one, as many a second, with a carrier that takes what comes. */
export async function measureStream(stack: Stack, { group, workers }: Options): Promise<Stream> {
  const queue = callsQueue(stack);
  const running = await startWorkers(stack, workers);
  await warmUp(stack, queue, group, { rounds: 1, calls: WARM_UP_CALLS });
  const due = { ...group, contacts: CALLS_PER_SECOND * STREAM_SECONDS };
  await schedule(stack, queue, due, new Date(Date.now() + 5_000), 1_000 / CALLS_PER_SECOND);
  await drained(stack);
  const late = (await claimsOf(stack)).map((claim) => claim.late).sort((a, b) => a - b);
  for (const worker of running) await worker.stop();
  await queue.close();
  return { perSecond: CALLS_PER_SECOND, p50: percentile(late, 0.5), p99: percentile(late, 0.99) };
}

async function carrierLimit(stack: Stack, { group, calls, workers }: Options): Promise<Pacing> {
  const queue = callsQueue(stack);
  const dialLog = join(stack.directory, 'dials.jsonl');
  const running = await startWorkers(stack, workers, {
    SIMULATOR_CALLS_PER_SECOND: String(CALLS_PER_SECOND),
    SIMULATOR_DIAL_LOG: dialLog,
  });
  await warmUp(stack, queue, group, { rounds: 2, calls: WARM_UP_CALLS });
  const before = (await dialsIn(dialLog)).length;
  await drainDue(stack, queue, group, calls);
  for (const worker of running) await worker.stop();
  await queue.close();
  const at = (await dialsIn(dialLog)).slice(before);
  if (at.length !== calls) throw new Error(`${calls} calls, and ${at.length} dials`);
  const [first = 0, last = 0] = [at[0], at.at(-1)];
  // A call's rank gives the instant at which it was due; the difference is how late it was dialed.
  const late = at.map((instant, rank) => instant - first - rank / CALLS_PER_SECOND).sort((a, b) => a - b);
  return {
    what: 'calls a second of a carrier',
    wanted: CALLS_PER_SECOND,
    found: (at.length - 1) / (last - first),
    most: Math.max(...at.map((start, rank) => countWithin(at, rank, start + 1))),
    lateP99: percentile(late, 0.99),
  };
}

/**
 * By the carrier's own log: what Postgres has of a dial is written after it, and later where the machine is
 * busy. Seconds.
 */
async function dialsIn(file: string): Promise<number[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const at = lines.map((line) => Date.parse((JSON.parse(line) as DialRecord).at) / 1_000);
  return at.sort((a, b) => a - b);
}

function countWithin(sorted: number[], from: number, before: number): number {
  let to = from;
  while ((sorted[to] ?? Infinity) < before) to += 1;
  return to - from;
}

async function teamLimit(stack: Stack, { limited, calls, workers }: Options): Promise<Pacing> {
  const queue = callsQueue(stack);
  await plantDueCalls(stack, queue, limited, Math.min(calls, limited.contacts));
  const talkMs = 50;
  const running = await startWorkers(stack, workers, { SIMULATOR_TALK_MS: String(talkMs) });
  await queue.resume();
  await drained(stack);
  const { rows } = await stack.db.query<{ claimed: number; ended: number }>(
    `SELECT extract(epoch FROM claimed_at)::float8 AS claimed, extract(epoch FROM ended_at)::float8 AS ended
     FROM call_requests WHERE ${MEASURED} AND claimed_at IS NOT NULL ORDER BY claimed_at`,
  );
  for (const worker of running) await worker.stop();
  await queue.close();
  const begun = rows[0]?.claimed ?? 0;
  const span = Math.max(...rows.map(({ ended }) => ended)) - begun;
  const busy = rows.reduce((sum, { claimed, ended }) => sum + ended - claimed, 0);
  return {
    what: 'active calls of a team, on average',
    wanted: limited.maxConcurrentCalls ?? NaN,
    found: busy / span,
    most: Math.max(
      ...rows.map((row) => rows.filter((o) => o.claimed <= row.claimed && o.ended > row.claimed).length),
    ),
    lateP99: NaN,
  };
}
