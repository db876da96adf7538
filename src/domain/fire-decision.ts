import { type CallState, isPending } from './call-states.js';
import { type CallerIdCandidates, pickCallerId } from './caller-id.js';
import { type HoursFacts, zoneOf } from './calling-hours.js';
import { isOpenLawfully, nextLawfulOpening } from './compliance/openings.js';
import { expiryOf, mayReschedule } from './expiry.js';
import { type GuardrailFacts } from './guardrails/guardrail.js';
import {
  type Decision,
  type GuardrailReason,
  evaluateGuardrails,
  scheduledByLaw,
  withoutLawfulOpening,
} from './guardrails/guardrails.js';
import { isOlderVersion, isTimeZone, zoneData } from './zones/time-zone.js';

/** The active and waiting calls of a team, which decide whether a further call has a concurrency slot. */
export interface ConcurrencySlotFacts {
  /** The team's `maxConcurrentCalls`; null: no limit. */
  limit: number | null;
  /** Calls that occupy a concurrency slot: claimed, and not known to have ended. */
  active: number;
  /** Waiting calls of the team that are older than this call; the count stops at `limit`. */
  olderWaiting: number;
}

export interface FireFacts {
  status: CallState;
  generation: number;
  acceptedAt: Date;
  runsAt: Date;
  /** The opening that the trigger's answer named; for a call that was due at once, its acceptance. */
  firstRunsAt: Date;
  expiresAt: Date;
  /** The `notAfter` of the trigger. */
  notAfter: Date | null;
  /** The team's pause or the platform's. */
  paused: boolean;
  /** The version of the zone data in force; null: none yet. */
  zoneDataInForce: string | null;
  hours: HoursFacts;
  callerId: CallerIdCandidates;
  guardrails: GuardrailFacts;
  concurrencySlots: ConcurrencySlotFacts;
}

export type FireDecision =
  /**
   * The job has no effect: calls are paused, the job is of another generation, or the call is not pending.
   */
  | { kind: 'ignored'; why: 'not_pending' | 'old_generation' | 'paused' }
  | { kind: 'early'; delayMs: number }
  /** The call is past its expiry, or its next opening is too late. */
  | { kind: 'expired'; cause: 'expired' | 'next_slot_too_late' }
  | {
      kind: 'rescheduled';
      runsAt: Date;
      expiresAt: Date;
      /** Only of a call whose hours packs narrow. */
      decision?: Decision;
    }
  | { kind: 'blocked'; reason: GuardrailReason | 'NO_CALLER_ID'; decision: Decision }
  /** This process has older zone data than those in force. Another process fires the call. */
  | { kind: 'old_zone_data'; delayMs: number }
  /** The time zone is not known. The call waits until it is corrected, at the longest until its expiry. */
  | { kind: 'zone_unknown'; delayMs: number }
  /**
   * All rules allow the call, but no concurrency slot is free for it. Older waiting calls take free slots
   * first. The call waits until a slot is offered to it.
   */
  | { kind: 'waiting' }
  | { kind: 'claimed'; callerId: string; decision: Decision };

/** How long a call waits that a process with newer zone data has to fire. */
const OTHER_PROCESS_MS = 5_000;
/** How long a call whose time zone is not known waits for its next decision. */
const ZONE_LOOK_MS = 60_000;

/**
 * Decides about a pending call just before its claim, for a wake-up of `generation`. Expiry is checked before
 * the pause, because a paused call expires as well. Inside calling hours, all guardrails are evaluated, also
 * those that the trigger has evaluated.
 */
export function decideFire(facts: FireFacts, generation: number, now: Date): FireDecision {
  if (!isPending(facts.status)) return { kind: 'ignored', why: 'not_pending' };
  if (facts.generation !== generation) return { kind: 'ignored', why: 'old_generation' };
  if (now >= facts.expiresAt) return { kind: 'expired', cause: 'expired' };
  if (facts.paused) return { kind: 'ignored', why: 'paused' };
  if (now < facts.runsAt) return { kind: 'early', delayMs: facts.runsAt.getTime() - now.getTime() };
  if (facts.zoneDataInForce !== null && isOlderVersion(zoneData().version, facts.zoneDataInForce)) {
    return { kind: 'old_zone_data', delayMs: OTHER_PROCESS_MS };
  }
  const zone = zoneOf(facts.hours);
  if (!isTimeZone(zone)) return { kind: 'zone_unknown', delayMs: ZONE_LOOK_MS };
  const lawful = facts.guardrails.compliance?.lawfulHours ?? [];
  if (!isOpenLawfully(facts.hours, zone, lawful, now)) {
    const runsAt = nextLawfulOpening(facts.hours, zone, lawful, now);
    if (runsAt === null) {
      const decision = withoutLawfulOpening(facts.guardrails, now);
      return { kind: 'blocked', reason: 'CALLING_PROHIBITED', decision };
    }
    if (!mayReschedule(runsAt, facts)) return { kind: 'expired', cause: 'next_slot_too_late' };
    const decision = scheduledByLaw(facts.guardrails, now);
    const expiresAt = expiryOf(runsAt, facts.notAfter);
    return { kind: 'rescheduled', runsAt, expiresAt, ...(decision !== undefined && { decision }) };
  }
  const decision = evaluateGuardrails(facts.guardrails, now);
  if (decision.reason !== null) return { kind: 'blocked', reason: decision.reason, decision };
  const callerId = pickCallerId(facts.callerId);
  if (callerId === null) return { kind: 'blocked', reason: 'NO_CALLER_ID', decision };
  if (!hasFreeConcurrencySlot(facts.concurrencySlots)) return { kind: 'waiting' };
  return { kind: 'claimed', callerId, decision };
}

/**
 * Whether a concurrency slot is free for the call. Older waiting calls have precedence: each of them counts
 * as if it occupied a slot. Pure.
 */
function hasFreeConcurrencySlot({ limit, active, olderWaiting }: ConcurrencySlotFacts): boolean {
  return limit === null || active + olderWaiting < limit;
}
