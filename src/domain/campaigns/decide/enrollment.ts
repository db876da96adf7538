/** How a call request of an enrollment ended, and what is known of it until then. */
export const ATTEMPT_OUTCOMES = [
  'completed',
  'no_answer',
  'busy',
  'voicemail',
  'failed',
  /** `dial_unknown`: it is not known whether it was dialed. */
  'unknown',
  /** The carrier was away or busy, or the dial came too late: certainly not dialed. */
  'not_dialed',
  /** The carrier refused this call for good. */
  'refused',
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** What was reported of a conversation. */
export interface CallResult {
  recordedAt: Date;
  disposition: string | null;
  callbackAt: Date | null;
}

/** One call request of the enrollment. */
export interface Attempt {
  stepKey: string;
  /** Whether it was dialed because a result requested it. */
  callback: boolean;
  /** When the call counted as processed; null where it never did. */
  processedAt: Date | null;
  /** Null while the call is under way. */
  outcome: AttemptOutcome | null;
  /** The carrier's time, bounded by the claim and the recording; of an unknown outcome, its resolution. */
  endedAt: Date | null;
  /** When the outcome was recorded; never before `endedAt`. */
  recordedAt: Date | null;
  result: CallResult | null;
}

/** A live enrollment: one entry of a contact into a campaign. */
export interface EnrollmentState {
  enrolledAt: Date;
  /** Null until the first move: the definition's first step. */
  stepKey: string | null;
  paused: boolean;
  /** Nothing is dialed earlier, whatever the definition says; null: no such bound. */
  notBefore: Date | null;
  /** In the order of their claims. */
  attempts: readonly Attempt[];
}

/** Whether the attempt counts for budgets and caps: the carrier may have dialed it. */
export function isProcessed({ outcome }: Attempt): boolean {
  return outcome !== 'not_dialed' && outcome !== 'refused';
}
