import { type CarrierAvailability } from '../../dialing/claim/decide.js';
import { withAttempt } from '../../domain/attempt-variables.js';
import { callAttemptOf } from '../../domain/campaigns/decide/call-attempt.js';
import { type CampaignDecision, type WaitingFor } from '../../domain/campaigns/decide/decision.js';
import { decide } from '../../domain/campaigns/decide/decide.js';
import { type EnrollmentState } from '../../domain/campaigns/decide/enrollment.js';
import { type CampaignFacts } from '../../domain/campaigns/decide/facts.js';
import { type CampaignDefinition } from '../../domain/campaigns/definition/definition.js';

/** The domain's decision. A decision to dial also names the carrier. */
export type EngineDecision =
  | Exclude<CampaignDecision, { kind: 'dial' }>
  | (Extract<CampaignDecision, { kind: 'dial' }> & { carrier: string; dialAt?: number })
  /** The batch may not dial through the carrier, or has no pacing slot of it. Nothing is written. */
  | { kind: 'needs_pacing_slot'; carrier: string }
  /** The campaign, its team or the platform was paused meanwhile. Nothing is written: the dial stays due. */
  | { kind: 'campaign_paused' }
  /** Only from {@link decideWithoutDial}: only a dial is left to do, and it is due. */
  | { kind: 'ready'; waitingFor: WaitingFor; nextAttemptAt: Date | null; callback: boolean };

/** Refusals of a dial that all due dials of a campaign share. */
export const SHARED_REFUSALS: ReadonlySet<string> = new Set(['concurrency', 'pacing']);

/**
 * The end of an enrollment whose step is not in its version, or has no agent of the team. No call can follow.
 */
export const WITHOUT_STEP = { kind: 'end', status: 'failed', endReason: 'not_dialable' } as const;

/**
 * Decides what an enrollment does at `now`, except for a dial. A pause of the campaign, its team or the platform
 * only prevents dials, so it makes no difference. Readers of `waitingFor` add it. Pure.
 *
 * @param refusal why due dials of the campaign have to wait; undefined: unknown.
 */
export function decideWithoutDial(
  state: EnrollmentState,
  definition: CampaignDefinition,
  facts: CampaignFacts,
  now: Date,
  refusal?: WaitingFor,
): EngineDecision {
  const campaignStatus = facts.campaignStatus === 'archived' ? 'archived' : 'active';
  const decision = decide(state, definition, { ...facts, campaignStatus, paused: false }, now);
  if (decision.kind !== 'dial') return decision;
  const { waitingFor, dueAt, callback } = decision;
  if (refusal !== undefined) return { kind: 'ready', waitingFor: refusal, nextAttemptAt: null, callback };
  return { kind: 'ready', waitingFor, nextAttemptAt: dueAt, callback };
}

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
  const isHeld = decision.kind === 'hold' && ['draft', 'paused'].includes(decision.waitingFor);
  if (isHeld) return { kind: 'campaign_paused' };
  if (decision.kind !== 'dial') return decision;
  const carrier = availability();
  switch (carrier.kind) {
    case 'available':
      return {
        ...decision,
        carrier: carrier.carrier,
        ...(carrier.dialAt !== undefined && { dialAt: carrier.dialAt }),
        variables: withAttempt(decision.variables, callAttemptOf(definition, state.attempts, decision, now)),
      };
    case 'needs_pacing_slot':
      return carrier;
    case 'account_limit': {
      const pacedUntil = carrier.limit === 'pacing' ? new Date(now.getTime() + carrier.delayMs) : null;
      const waiting = { ...facts, pacedUntil, hasConcurrencySlot: pacedUntil !== null };
      const held = decide(state, definition, waiting, now);
      if (held.kind === 'dial') throw new Error('a dial was decided although its account is at a limit');
      // The instant would change with each decision, and each change is written.
      return held.kind === 'defer' && held.waitingFor === 'pacing' ? { ...held, nextAttemptAt: null } : held;
    }
    case 'circuit_open': {
      const carrierAwayUntil = new Date(now.getTime() + carrier.delayMs);
      const deferred = decide(state, definition, { ...facts, carrierAwayUntil }, now);
      if (deferred.kind === 'dial') throw new Error('a dial was decided to a carrier whose circuit is open');
      return deferred;
    }
  }
}
