import { type CampaignTraffic } from './campaign-traffic.js';
import { collectWaits } from './collect-campaigns.js';
import { collectHistory, settle } from './collect-history.js';
import { type History } from './history.js';
import { LATER, LATER_RULES, LIFETIMES_LATER } from './tenants.js';
import { type World } from './world.js';

/**
 * Everything is whole again, and what was begun comes to its end: first what is due now, then what waited for a later hour, and once
 * every lifetime is over, whatever still lives.
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
  await settle(world, settleMs);
  await world.setRules(LATER_RULES);
  await world.moveClock(LATER);
  await later();
  await settle(world, settleMs);
  const waits = await collectWaits(world);
  await world.moveClock(LIFETIMES_LATER);
  await settle(world, settleMs, 'everything');
  return collectHistory(world, { ...campaigns.view, waits, isOver: true });
}
