/** How a call request of an enrollment ended. */
export const ATTEMPT_OUTCOMES = [
  'completed',
  'no_answer',
  'busy',
  'voicemail',
  'failed',
  /** `dial_unknown`: the call may or may not have been dialed. */
  'unknown',
  /**
   * The call was certainly not dialed: the carrier was unreachable or throttled, or the claim was too old.
   */
  'not_dialed',
  /** The carrier permanently refused this call. */
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
  /** Whether the result of a call requested it. */
  callback: boolean;
  /** When the call was processed; null if it was not. */
  processedAt: Date | null;
  /** Null while the call is active. */
  outcome: AttemptOutcome | null;
  /**
   * The carrier's time, between the claim and the recording. For an unknown outcome, the time of its
   * resolution.
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
  /** The earliest dial that is allowed; null: no such bound. */
  notBefore: Date | null;
  /** In the order of their claims. */
  attempts: readonly Attempt[];
}

/** Whether the attempt counts for budgets and caps: the carrier may have dialed it. */
export function isProcessed({ outcome }: Attempt): boolean {
  return outcome !== 'not_dialed' && outcome !== 'refused';
}
