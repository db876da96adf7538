import { type RuleResult } from '../../guardrails/guardrail.js';
import { type WaitingFor } from './decision.js';
import { type CampaignFacts } from './facts.js';
import { guardrailsFor, guardrailsOf } from './guardrail-kinds.js';

/**
 * Why a due dial cannot be made although the clock rules allow it. `until` is the instant at which the
 * obstacle ends; null: the instant is unknown.
 */
export interface Obstacle {
  kind: 'defer' | 'hold';
  waitingFor: WaitingFor;
  until: Date | null;
}

/** The first obstacle to a dial at `now` that is not a clock rule. */
export function obstacleOf(facts: CampaignFacts, now: Date): Obstacle | undefined {
  return numberBusy(facts, now) ?? refusedByConfiguration(facts, now) ?? withoutMeans(facts, now);
}

function numberBusy({ otherCall, guardrails }: CampaignFacts, now: Date): Obstacle | undefined {
  const pending = guardrailsOf('other_call').some(({ check }) => !check(guardrails, now).allow);
  if (otherCall === null && !pending) return undefined;
  // An active call can last beyond its expiry.
  const until = otherCall && otherCall.expiresAt > now ? otherCall.expiresAt : null;
  return { kind: 'defer', waitingFor: 'number_busy', until };
}

function refusedByConfiguration({ guardrails }: CampaignFacts, now: Date): Obstacle | undefined {
  for (const { reason, check } of guardrailsFor('configuration', guardrails)) {
    const result: RuleResult = check(guardrails, now);
    if (result.allow) continue;
    const until = result.retryAt === undefined ? null : new Date(result.retryAt);
    return { kind: 'hold', waitingFor: reason, until };
  }
  return undefined;
}

function withoutMeans(facts: CampaignFacts, now: Date): Obstacle | undefined {
  const { hasCallerId, carrierAwayUntil, pacedUntil, hasConcurrencySlot } = facts;
  if (!hasCallerId) return { kind: 'hold', waitingFor: 'caller_id', until: null };
  if (carrierAwayUntil && carrierAwayUntil > now) {
    return { kind: 'defer', waitingFor: 'carrier', until: carrierAwayUntil };
  }
  if (pacedUntil && pacedUntil > now) return { kind: 'defer', waitingFor: 'pacing', until: pacedUntil };
  if (!hasConcurrencySlot) return { kind: 'hold', waitingFor: 'concurrency', until: null };
  return undefined;
}
