/**
 * The reasons of failed calls that tell who refused the call: the called person, or a network on the way that
 * suspects spam. Such a call is neither busy nor a fault, and campaigns treat each reason as an outcome of its
 * own.
 */
export const REFUSAL_OUTCOMES = ['declined', 'network_blocked'] as const;
export type RefusalOutcome = (typeof REFUSAL_OUTCOMES)[number];

/** @param reason of a failed call. @returns undefined if the reason does not tell who refused the call. */
export function refusalOutcomeOf(reason: string | null): RefusalOutcome | undefined {
  return REFUSAL_OUTCOMES.find((known) => known === reason);
}
