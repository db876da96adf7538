/** The life of an enrollment. This table is the only list of states and of the moves between them. */
export const ENROLLMENT_MOVES = {
  active: ['paused', 'completed', 'exited', 'failed'],
  paused: ['active', 'exited'],
  completed: [],
  exited: [],
  failed: [],
} as const satisfies Record<string, readonly string[]>;

export type EnrollmentState = keyof typeof ENROLLMENT_MOVES;

export const ENROLLMENT_STATES = Object.keys(ENROLLMENT_MOVES) as EnrollmentState[];

/** The state in which every enrollment is born. */
export const ENROLLMENT_BIRTH_STATE = 'active' satisfies EnrollmentState;

/** The states from which `to` can be reached in one move. */
export function enrollmentStatesBefore(to: EnrollmentState): EnrollmentState[] {
  return ENROLLMENT_STATES.filter((from) =>
    (ENROLLMENT_MOVES[from] as readonly EnrollmentState[]).includes(to),
  );
}
