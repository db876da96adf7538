import { type CarrierAvailability } from '../../calls/fire/decide.js';
import { type CampaignDecision } from '../../domain/campaigns/decide/decision.js';
import { decide } from '../../domain/campaigns/decide/decide.js';
import { type EnrollmentState } from '../../domain/campaigns/decide/enrollment.js';
import { type CampaignFacts } from '../../domain/campaigns/decide/facts.js';
import { type CampaignDefinition } from '../../domain/campaigns/definition/definition.js';

/** The domain's decision. A decision to dial also names the carrier. */
export type EngineDecision =
  | Exclude<CampaignDecision, { kind: 'dial' }>
  | (Extract<CampaignDecision, { kind: 'dial' }> & { carrier: string })
  /** The batch may not dial through the carrier, or has no pacing slot of it. Nothing is written. */
  | { kind: 'needs_pacing_slot'; carrier: string };

/**
 * The end of an enrollment whose step is not in its version, or has no agent of the team. No call can follow.
 */
export const WITHOUT_STEP = { kind: 'end', status: 'failed', endReason: 'not_dialable' } as const;

/**
 * Decides what an enrollment does at `now`. Pure, except for `availability`.
 *
 * @param availability called at most once, and only if everything else allows the dial. It may make the dial
 *   the probe of an open circuit.
 */
export function decideWithCarrier(
  state: EnrollmentState,
  definition: CampaignDefinition,
  facts: CampaignFacts,
  now: Date,
  availability: () => CarrierAvailability,
): EngineDecision {
  const decision = decide(state, definition, facts, now);
  if (decision.kind !== 'dial') return decision;
  const carrier = availability();
  switch (carrier.kind) {
    case 'available':
      return { ...decision, carrier: carrier.carrier };
    case 'needs_pacing_slot':
      return carrier;
    case 'circuit_open': {
      const carrierAwayUntil = new Date(now.getTime() + carrier.delayMs);
      const deferred = decide(state, definition, { ...facts, carrierAwayUntil }, now);
      if (deferred.kind === 'dial') throw new Error('a dial was decided to a carrier whose circuit is open');
      return deferred;
    }
  }
}
