import { type Disclosure } from '../../domain/compliance/disclosures.js';
import { type FireDecision } from '../../domain/fire-decision.js';
import { render, type RenderedScript, type Script } from './script.js';

/** The carrier of the call's agent, as the worker sees it at the claim. */
export type CarrierAvailability =
  /** The call is dialed at `dialAt` by the monotonic clock; undefined: at once. */
  | { kind: 'available'; carrier: string; dialAt?: number }
  /** The carrier is paced, and the wake-up holds no pacing slot of this carrier. */
  | { kind: 'needs_pacing_slot'; carrier: string }
  /** The carrier's circuit is open; the call is put off for `delayMs`. */
  | { kind: 'circuit_open'; delayMs: number }
  /** A limit of the agent's carrier account is reached; the call is put off for `delayMs`. */
  | { kind: 'account_limit'; limit: 'concurrency' | 'pacing'; delayMs: number };

type Claimed = FireDecision & { kind: 'claimed' };

/** The domain's decision. A call that the domain allows is claimed only if its carrier is available. */
export type DecisionWithCarrier =
  | Exclude<FireDecision, Claimed>
  | { kind: 'other_carrier'; carrier: string }
  | { kind: 'put_off'; why: 'CARRIER_AWAY' | 'CARRIER_ACCOUNT_LIMIT'; delayMs: number }
  | (Claimed & {
      carrier: string;
      dialAt?: number;
      script: RenderedScript;
      disclosures: readonly Disclosure[];
    });

/** Decides a call that the domain allows, by its carrier. */
export function decideWithCarrier(
  decision: Claimed,
  carrier: CarrierAvailability,
  script: Script,
  disclosures: readonly Disclosure[] = [],
): DecisionWithCarrier {
  switch (carrier.kind) {
    case 'needs_pacing_slot':
      return { kind: 'other_carrier', carrier: carrier.carrier };
    case 'circuit_open':
      return { kind: 'put_off', why: 'CARRIER_AWAY', delayMs: carrier.delayMs };
    case 'account_limit':
      return { kind: 'put_off', why: 'CARRIER_ACCOUNT_LIMIT', delayMs: carrier.delayMs };
    case 'available':
      return {
        ...decision,
        carrier: carrier.carrier,
        ...(carrier.dialAt !== undefined && { dialAt: carrier.dialAt }),
        script: render(script),
        disclosures,
      };
  }
}
