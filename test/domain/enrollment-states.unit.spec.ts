import {
  ENROLLMENT_INITIAL_STATE,
  ENROLLMENT_TRANSITIONS,
  ENROLLMENT_STATES,
  type EnrollmentState,
  enrollmentStatesBefore,
} from '../../src/domain/enrollment-states.js';

describe('the states of an enrollment', () => {
  test('can all be reached', () => {
    const reached = new Set<EnrollmentState>([ENROLLMENT_INITIAL_STATE]);
    // Members that are added on the way are visited, too.
    for (const state of reached) for (const next of ENROLLMENT_TRANSITIONS[state]) reached.add(next);
    expect([...reached].sort()).toEqual([...ENROLLMENT_STATES].sort());
  });

  test.each(['completed', 'exited', 'failed'] as const)('%s has no transitions', (state) => {
    expect(ENROLLMENT_TRANSITIONS[state]).toEqual([]);
  });

  test('every state that is not final leads to a final one', () => {
    for (const state of ENROLLMENT_STATES.filter(
      (candidate) => ENROLLMENT_TRANSITIONS[candidate].length > 0,
    )) {
      expect(ENROLLMENT_TRANSITIONS[state]).toContain('exited');
    }
  });

  test('are found by the states to which they lead', () => {
    expect(enrollmentStatesBefore('paused')).toEqual(['active']);
    expect(enrollmentStatesBefore('active')).toEqual(['paused']);
    expect(enrollmentStatesBefore('exited')).toEqual(['active', 'paused']);
  });
});
