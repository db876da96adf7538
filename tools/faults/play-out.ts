import { type CampaignTraffic } from './campaign-traffic.js';
import { collectAtRest } from './collect-at-rest.js';
import { collectWaits } from './collect-campaigns.js';
import { collectHistory, settle } from './collect-history.js';
import { type History } from './history.js';
import { LATER, LATER_RULES, LIFETIMES_LATER, RETRIES_LATER } from './tenants.js';
import { pause } from '../services/run.js';
import { type World } from './world.js';

/**
 * Everything is whole again, and what was begun comes to its end. First comes what is due now, then what
 * waited for a later hour. Once every lifetime is over, whatever still lives ends. At last the events are
 * delivered to all endpoints that answer.
 *
 * @param settleMs how long each of them may take. @param later what is asked for at the later hour.
 */
export async function playOut(
  world: World,
  campaigns: CampaignTraffic,
  settleMs: number,
  later: () => Promise<void> = () => Promise.resolve(),
): Promise<History> {
  await world.heal();
  await campaigns.resumeAll();
  await world.liveness.settle('the faults');
  await settle(world, settleMs);
  await world.webhooks.measureDelay();
  await world.setRules(LATER_RULES);
  await world.moveClock(LATER);
  await later();
  await settle(world, settleMs);
  const waits = await collectWaits(world);
  await world.moveClock(LIFETIMES_LATER);
  await settle(world, settleMs, 'everything');
  await world.moveClock(RETRIES_LATER);
  return collectAtRest(
    () => readAllEvents(world, settleMs),
    () => collectHistory(world, { ...campaigns.view, waits, isOver: true }),
    settleMs,
  );
}

/**
 * Waits until all events have numbers, reads the rest of the feeds, and waits until the webhooks are
 * delivered. What has no number by then is found to be lost.
 *
 * @returns how many events were read in all.
 */
async function readAllEvents(world: World, patienceMs: number): Promise<number> {
  const deadline = Date.now() + patienceMs;
  for (let left = 1; left > 0 && Date.now() < deadline;) {
    const { rows } = await world.db.query<{ events: number }>('SELECT events FROM count_unnumbered_events()');
    left = rows[0]?.events ?? 0;
    if (left > 0) await pause(200);
  }
  await world.events.finish(patienceMs);
  await world.webhooks.settle(patienceMs);
  return world.events.events.length;
}
