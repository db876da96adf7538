/** The states of an enrollment. This table is the only list of states and of the transitions between them. */
export const ENROLLMENT_TRANSITIONS = {
  active: ['paused', 'completed', 'exited', 'failed'],
  paused: ['active', 'exited'],
  completed: [],
  exited: [],
  failed: [],
} as const satisfies Record<string, readonly string[]>;

export type EnrollmentState = keyof typeof ENROLLMENT_TRANSITIONS;

export const ENROLLMENT_STATES = Object.keys(ENROLLMENT_TRANSITIONS) as EnrollmentState[];

/** The state of a new enrollment. */
export const ENROLLMENT_INITIAL_STATE = 'active' satisfies EnrollmentState;

/** The states from which `to` can be reached in one transition. */
export function enrollmentStatesBefore(to: EnrollmentState): EnrollmentState[] {
  return ENROLLMENT_STATES.filter((from) =>
    (ENROLLMENT_TRANSITIONS[from] as readonly EnrollmentState[]).includes(to),
  );
}
