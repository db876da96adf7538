import { FAULTS } from './catalogue.js';
import { collectHistory, settle } from './collect-history.js';
import { type Sabotage } from './dist-copy.js';
import { type Fault, type FaultContext } from './fault.js';
import { judgeHistory, type Violation } from './judge-history.js';
import { type History } from './history.js';
import { Random } from './random.js';
import { LATER } from './tenants.js';
import { Traffic } from './traffic.js';
import { type FaultCarrier } from './carriers.js';
import { World } from './world.js';

/** A fault whose moment did not come, or that another one spoilt, is tried this often. */
const ATTEMPTS = 8;
/** About as long as it takes until each fault has happened once; few calls are spread over it. */
const LEAST_SECONDS = 150;
const MOST_CALLS_PER_SECOND = 55;
/** Of the numbers dialed, so many are called again once the clock has moved on. */
const CALLED_AGAIN = 0.03;

export interface MixOptions {
  calls: number;
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

/** Places calls while faults of all kinds happen at once, waits until all is quiet, and judges. */
export async function runMix({
  calls,
  seed,
  sabotage,
  carrier,
  logDirectory,
  settleMs,
  log,
}: MixOptions): Promise<MixResult> {
  const startedAt = performance.now();
  const random = new Random(seed);
  const world = await World.create({ random, calls, sabotage, carrier, logDirectory });
  try {
    const injected = new Map<string, number>(FAULTS.map(({ name }) => [name, 0]));
    const traffic = new Traffic(world, random);
    const enough = () => traffic.placed >= calls;
    const placed = traffic.run(Math.min(MOST_CALLS_PER_SECOND, calls / LEAST_SECONDS));
    const lanes = LANES.map((lane) =>
      injectAll(
        FAULTS.filter((fault) => laneOf(fault) === lane),
        { world, random, alone: false },
        enough,
        (fault) => injected.set(fault.name, (injected.get(fault.name) ?? 0) + 1),
      ),
    );
    await Promise.all(lanes);
    traffic.stop();
    await placed;
    log(`seed ${seed}: ${traffic.placed} calls placed, waiting for their ends`);
    await world.heal();
    await settle(world, settleMs);
    await callLater(world, random);
    await settle(world, settleMs);
    const history = await collectHistory(world);
    return {
      seed,
      history,
      violations: judgeHistory(history),
      injected,
      missed: [...injected].filter(([, times]) => times === 0).map(([name]) => name),
      seconds: Math.round((performance.now() - startedAt) / 1_000),
    };
  } finally {
    await world.close();
  }
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
 * Thirteen hours later, what was scheduled for then is due, whatever became of its wake-up; and some numbers are called
 * again, which is allowed now unless a limit counts on.
 */
async function callLater(world: World, random: Random): Promise<void> {
  await world.moveClock(LATER);
  const { triggers } = world.client;
  const again = triggers.filter(({ status }) => status === 200 && random.chance(CALLED_AGAIN));
  for (const { teamId, phoneNumber } of again) {
    const tenant = world.tenants.find((candidate) => candidate.teamId === teamId);
    if (tenant && tenant.openings === null) await world.client.trigger(tenant, phoneNumber);
  }
}
