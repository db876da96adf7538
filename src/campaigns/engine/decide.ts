import { type CarrierAvailability } from '../../calls/fire/decide.js';
import { type CampaignDecision } from '../../domain/campaigns/decide/decision.js';
import { decide } from '../../domain/campaigns/decide/decide.js';
import { type EnrollmentState } from '../../domain/campaigns/decide/enrollment.js';
import { type CampaignFacts } from '../../domain/campaigns/decide/facts.js';
import { type CampaignDefinition } from '../../domain/campaigns/definition/definition.js';

/** The domain's decision; an enrollment that is to be dialed also needs its carrier. */
export type EngineDecision =
  | Exclude<CampaignDecision, { kind: 'dial' }>
  | (Extract<CampaignDecision, { kind: 'dial' }> & { carrier: string })
  /** The carrier is paced, and the transaction has no pacing slot with it: nothing is written. */
  | { kind: 'needs_pacing_slot'; carrier: string };

/** If the version has no such step, or the step no agent of the team, no call can follow. */
export const WITHOUT_STEP = { kind: 'end', status: 'failed', endReason: 'not_dialable' } as const;

/**
 * Decides what an enrollment does at `now`. Pure but for `availability`.
 *
 * @param availability called once, and only if everything else allows the dial: its result may be the probe of
 *   an open circuit.
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
