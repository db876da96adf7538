import { CampaignTraffic } from './campaign-traffic.js';
import { FAULTS } from './catalogue.js';
import { type Sabotage } from './dist-copy.js';
import { type Fault, type FaultContext } from './fault.js';
import { checkHistory } from './check-history.js';
import { type History } from './history.js';
import { playOut } from './play-out.js';
import { Random } from './random.js';
import { Traffic } from './traffic.js';
import { type Violation } from './violation.js';
import { type FaultCarrier } from './carriers.js';
import { World } from './world.js';

/** A fault whose moment did not come, or that another one spoilt, is tried this often. */
const ATTEMPTS = 8;
/** About as long as it takes until each fault has happened once; few calls are spread over it. */
const LEAST_SECONDS = 150;
const MOST_CALLS_PER_SECOND = 55;
const MOST_ENROLLMENTS_PER_SECOND = 20;
/** About so often an enrollment is dialed. */
const ATTEMPTS_OF_ENROLLMENT = 1.5;
/** Of the numbers dialed, so many are called again once the clock has moved on. */
const CALLED_AGAIN = 0.03;

export interface MixOptions {
  calls: number;
  /** Processed dials of campaigns. */
  attempts: number;
  seed: number;
  sabotage?: Sabotage;
  carrier?: FaultCarrier;
  logDirectory?: string;
  /** How long calls may take to come to an end once everything is whole again. */
  settleMs: number;
  log: (line: string) => void;
}

export interface MixResult {
  seed: number;
  history: History;
  violations: Violation[];
  injected: Map<string, number>;
  /** Faults that could not be injected at all. */
  missed: string[];
  seconds: number;
}

/**
 * Places calls while faults of all kinds happen at once, waits until all is quiet, and checks the history.
 */
export async function runMix({
  calls,
  attempts,
  seed,
  sabotage,
  carrier,
  logDirectory,
  settleMs,
  log,
}: MixOptions): Promise<MixResult> {
  const startedAt = performance.now();
  const random = new Random(seed);
  const world = await World.create({ random, calls, attempts, sabotage, carrier, logDirectory });
  try {
    const injected = new Map<string, number>(FAULTS.map(({ name }) => [name, 0]));
    const traffic = new Traffic(world, random);
    const campaigns = new CampaignTraffic(world, random);
    const enough = () => traffic.placed >= calls && campaigns.attempts >= attempts;
    const placed = Promise.all([
      traffic.run(Math.min(MOST_CALLS_PER_SECOND, calls / LEAST_SECONDS), calls),
      attempts > 0 ? campaigns.run(enrollmentsPerSecond(attempts)) : undefined,
    ]);
    const lanes = LANES.map((lane) =>
      injectAll(
        FAULTS.filter((fault) => laneOf(fault) === lane),
        { world, random, single: false },
        enough,
        (fault) => injected.set(fault.name, (injected.get(fault.name) ?? 0) + 1),
      ),
    );
    await Promise.all(lanes);
    traffic.stop();
    campaigns.stop();
    await placed;
    log(`seed ${seed}: ${traffic.placed} calls and ${campaigns.attempts} attempts, waiting for their ends`);
    const history = await playOut(world, campaigns, settleMs, () => callLater(world, random));
    return {
      seed,
      history,
      violations: checkHistory(history),
      injected,
      missed: [...injected].filter(([, times]) => times === 0).map(([name]) => name),
      seconds: Math.round((performance.now() - startedAt) / 1_000),
    };
  } finally {
    await world.close();
  }
}

function enrollmentsPerSecond(attempts: number): number {
  return Math.min(MOST_ENROLLMENTS_PER_SECOND, attempts / ATTEMPTS_OF_ENROLLMENT / LEAST_SECONDS);
}

type Lane = Fault['kind'] | 'slow';
const LANES: readonly Lane[] = ['servers', 'programs', 'traffic', 'slow'];

function laneOf({ kind, slow }: Fault): Lane {
  return slow ? 'slow' : kind;
}

/** Each fault once in random order, then more of them until there were enough calls. */
async function injectAll(
  faults: Fault[],
  context: FaultContext,
  enough: () => boolean,
  count: (fault: Fault) => void,
): Promise<void> {
  let deck = context.random.shuffled(faults);
  const attempts = new Map<Fault, number>();
  for (let first = true; ; first = false) {
    for (let fault = deck.shift(); fault; fault = deck.shift()) {
      if (!first && enough()) return;
      try {
        await fault.inject(context);
        count(fault);
      } catch {
        const attempt = (attempts.get(fault) ?? 0) + 1;
        attempts.set(fault, attempt);
        if (attempt < ATTEMPTS) deck.push(fault);
      }
    }
    if (enough()) return;
    deck = context.random.shuffled(faults);
    if (deck.every(({ slow }) => slow)) return;
  }
}

/**
 * Thirteen hours later, what was scheduled for then is due, with or without its wake-up. Some numbers are
 * called again, which is allowed now unless a limit counts on, and all that have opted out, which never is.
 */
async function callLater(world: World, random: Random): Promise<void> {
  const { triggers } = world.client;
  const optedOut = new Set(world.results.optOuts.map(({ callRequestId }) => callRequestId));
  const again = triggers.filter(
    ({ status, callRequestId }) =>
      status === 200 && (optedOut.has(callRequestId ?? '') || random.chance(CALLED_AGAIN)),
  );
  for (const { teamId, phoneNumber } of again) {
    const tenant = world.tenants.find((candidate) => candidate.teamId === teamId);
    if (tenant && tenant.openings === null && !tenant.hasPack)
      await world.client.trigger(tenant, phoneNumber);
  }
}
