import { type Outlook, type WaitingFor } from '../../domain/campaigns/decide/decision.js';
import { guardrailsOf } from '../../domain/campaigns/decide/guardrail-kinds.js';
import { SHARED_REFUSALS } from './decide.js';
import { type EnrollmentFactsRow } from './facts.sql.js';

const MINUTE_MS = 60_000;
/** The time until a look during a call, in case the end of the call does not wake the enrollment. */
export const IN_CALL_LOOK_MS = 5 * MINUTE_MS;
const OUTCOME_LOOK_MS = 60 * MINUTE_MS;
/** The time until a look during another call to the number. The end of that call wakes no enrollment. */
const BUSY_LOOK_MS = 15_000;
const PENDING_LOOK_MS = 10 * MINUTE_MS;
/**
 * Rules that count the calls to the number. They count a claimed call until it turns out that the call was
 * not dialed.
 */
const COUNTING = new Set<WaitingFor>([...guardrailsOf('clock').map(({ reason }) => reason), 'caps']);

/**
 * When the engine decides a waiting enrollment again: at the domain's `lookAt`, except in the cases below.
 * The end of its pause or of its call wakes the enrollment. An enrollment that waits for a concurrency slot or for
 * pacing keeps its `look_at`: its dial stays due, at its place among the due dials.
 *
 * @param lifetimeAt when the enrollment's lifetime ends; null: never.
 * @returns null if the enrollment is not decided before a change wakes it.
 */
export function nextLook(
  row: EnrollmentFactsRow,
  { waitingFor, lookAt }: Outlook,
  lifetimeAt: Date | null,
): Date | null {
  const { now } = row;
  const within = (ms: number) => earlier(new Date(now.getTime() + ms), lifetimeAt);
  if (waitingFor === 'paused') return lifetimeAt;
  if (waitingFor === 'in_call') return within(IN_CALL_LOOK_MS);
  if (waitingFor === 'outcome') return within(OUTCOME_LOOK_MS);
  if (SHARED_REFUSALS.has(waitingFor)) return earlier(now, row.look_at);
  if (waitingFor === 'number_busy') return earlier(within(otherCallMs(row)), lookAt);
  const isUnderWay = row.other_call !== null && row.other_call.runsAt === null;
  return isUnderWay && COUNTING.has(waitingFor) ? earlier(within(BUSY_LOOK_MS), lookAt) : lookAt;
}

/** How long until the next look at the other call to the number. */
function otherCallMs({ now, other_call: other }: EnrollmentFactsRow): number {
  const untilDue = other?.runsAt == null ? 0 : other.runsAt - now.getTime();
  return Math.min(PENDING_LOOK_MS, Math.max(BUSY_LOOK_MS, untilDue));
}

export function earlier(one: Date, other: Date | null): Date {
  return other !== null && other < one ? other : one;
}
