import { CampaignTraffic } from './campaign-traffic.js';
import { collectHistory } from './collect-history.js';
import { type Fault } from './fault.js';
import { checkHistory } from './check-history.js';
import { type MixOptions } from './mix.js';
import { summaryOf } from './report.js';
import { Random } from './random.js';
import { playOut } from './play-out.js';
import { Traffic } from './traffic.js';
import { SAFETY, type Violation } from './violation.js';
import { World } from './world.js';

const CALLS_PER_SECOND = 8;
const ENROLLMENTS_PER_SECOND = 2;
/** After errors BullMQ's worker waits 15 seconds before it asks for jobs again. */
const RECOVERY_MS = 30_000;

/** How one fault went. */
export interface FaultResult {
  name: string;
  problems: string[];
  seconds: number;
}

/**
 * Injects one fault after the other while calls are placed, with its own assertions, and checks the history
 * after each.
 */
export async function runSingly(
  faults: readonly Fault[],
  { seed, carrier, logDirectory, settleMs, log }: Omit<MixOptions, 'calls' | 'attempts' | 'sabotage'>,
): Promise<{ results: FaultResult[]; violations: Violation[] }> {
  const random = new Random(seed);
  const world = await World.create({ random, calls: 4_000, attempts: 2_000, carrier, logDirectory });
  const traffic = new Traffic(world, random);
  const campaigns = new CampaignTraffic(world, random);
  try {
    const running = Promise.all([traffic.run(CALLS_PER_SECOND), campaigns.run(ENROLLMENTS_PER_SECOND)]);
    const results: FaultResult[] = [];
    const known = new Set<string>();
    for (const fault of faults) {
      const result = await injectAlone(world, campaigns, random, fault, known);
      results.push(result);
      const outcome = result.problems.length === 0 ? 'ok  ' : 'FAIL';
      log(
        `  ${outcome} ${fault.name} (${result.seconds} s)${result.problems.map((text) => `\n       ${text}`).join('')}`,
      );
    }
    traffic.stop();
    campaigns.stop();
    await running;
    const history = await playOut(world, campaigns, settleMs);
    log(summaryOf(history));
    return { results, violations: checkHistory(history) };
  } finally {
    traffic.stop();
    campaigns.stop();
    await world.close();
  }
}

/** Resolves when all three processes work again, without a restart. */
export async function recovery(world: World): Promise<void> {
  const nothing = () => undefined;
  await Promise.all([
    world.api.postgres.atNext('call committing', nothing, RECOVERY_MS),
    ...world.workers.map((worker) => worker.postgres.atNext('claim sent', nothing, RECOVERY_MS)),
  ]);
}

/** @param known violations that earlier faults answer for; new ones are added. */
async function injectAlone(
  world: World,
  campaigns: CampaignTraffic,
  random: Random,
  fault: Fault,
  known: Set<string>,
): Promise<FaultResult> {
  const startedAt = performance.now();
  const problems: string[] = [];
  try {
    await fault.inject({ world, random, single: true });
    await recovery(world);
    await world.liveness.settle(fault.name);
  } catch (error) {
    problems.push((error as Error).message);
  }
  const violations = checkHistory(await collectHistory(world, campaigns.view)).filter(({ kind }) =>
    SAFETY.includes(kind),
  );
  for (const { kind, id, detail } of violations) {
    const text = `${kind}: ${id}: ${detail}`;
    if (!known.has(text)) problems.push(text);
    known.add(text);
  }
  return { name: fault.name, problems, seconds: Math.round((performance.now() - startedAt) / 100) / 10 };
}
