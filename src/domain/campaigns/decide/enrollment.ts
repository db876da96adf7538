import { REFUSAL_OUTCOMES } from '../../refused-by.js';

/** How a call request of an enrollment ended. */
export const ATTEMPT_OUTCOMES = [
  'completed',
  'no_answer',
  'busy',
  'voicemail',
  'failed',
  ...REFUSAL_OUTCOMES,
  /** `dial_unknown`: the call may or may not have been dialed. */
  'unknown',
  /**
   * It is known that the call was not dialed. The carrier was unreachable or throttled the call, or the claim
   * was too old.
   */
  'not_dialed',
  /** The carrier permanently refused this call. */
  'refused',
  /** The call was hung up on request before a person answered it. It is not retried. */
  'hung_up',
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** What was reported about a conversation. */
export interface CallResult {
  recordedAt: Date;
  disposition: string | null;
  callbackAt: Date | null;
  /** Absent where only the decision matters, as in a forecast. */
  data?: Record<string, unknown> | null;
}

/** One call request of the enrollment. */
export interface Attempt {
  stepKey: string;
  /** Whether the result of an earlier call requested this call. */
  callback: boolean;
  /** When the call was processed; null if it was not. */
  processedAt: Date | null;
  /** Null while the call is active. */
  outcome: AttemptOutcome | null;
  /**
   * The end that the carrier reported, between the claim and `recordedAt`. If the outcome was `unknown`
   * before, the time at which it was resolved.
   */
  endedAt: Date | null;
  /** When the outcome was recorded; never before `endedAt`. */
  recordedAt: Date | null;
  result: CallResult | null;
}

/** A live enrollment: one entry of a contact into a campaign. */
export interface EnrollmentState {
  enrolledAt: Date;
  /** Null stands for the definition's first step. */
  stepKey: string | null;
  paused: boolean;
  /** No dial is allowed before this instant; null: no such bound. */
  notBefore: Date | null;
  /** In the order of their claims. */
  attempts: readonly Attempt[];
}

/** Whether the attempt counts for budgets and caps: the carrier may have dialed it. */
export function isProcessed({ outcome }: Attempt): boolean {
  return outcome !== 'not_dialed' && outcome !== 'refused';
}
