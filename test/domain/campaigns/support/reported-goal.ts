import { MINUTE, type PlayedStep } from './play.js';
import { type PlannedCall } from './planned-calls.js';

/**
 * When a call is reported with what its step calls a goal. It counts for any end of the call, and after any
 * later event. Infinity: never. What is behind an entry for every completed call is no goal.
 */
export function reportedGoal(step: PlayedStep, { result }: PlannedCall, claimedAt: number): number {
  if (result === null) return Infinity;
  for (const entry of step.on ?? []) {
    if (entry.outcome === 'completed') return Infinity;
    if (entry.disposition === undefined || entry.disposition !== result.disposition) continue;
    // Without an instant there is nothing to call back at.
    if (entry.callback && result.callbackIn === null) continue;
    return entry.goal ? claimedAt + result.after * MINUTE : Infinity;
  }
  return Infinity;
}
