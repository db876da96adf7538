/** What the agent may know of the call that it makes. */
export interface CallAttempt {
  /** 1 for the first call. */
  number: number;
  /** Whether no call can follow if this one is not answered, whichever outcome it has. */
  isLast: boolean;
  /** The call before; null: there is none. */
  previous: PreviousCall | null;
}

export interface PreviousCall {
  /** Such as `no_answer`. */
  outcome: string;
  disposition: string | null;
  data: Record<string, unknown> | null;
}

/** The attempt of a triggered call. */
export const ONLY_ATTEMPT: CallAttempt = { number: 1, isLast: true, previous: null };

/**
 * The variables of a call with `attempt` and `previous`, for templates and for the carrier. A variable of the same
 * name takes precedence. What is not known of the call before is absent.
 */
export function withAttempt(
  variables: Readonly<Record<string, unknown>>,
  { number, isLast, previous }: CallAttempt,
): Record<string, unknown> {
  return {
    attempt: { number, isLast },
    ...(previous && { previous: known(previous) }),
    ...variables,
  };
}

function known({ outcome, disposition, data }: PreviousCall): Record<string, unknown> {
  return { outcome, ...(disposition !== null && { disposition }), ...(data !== null && { data }) };
}
