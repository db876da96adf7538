import {
  INITIAL_STATES,
  CALL_TRANSITIONS,
  CALL_STATES,
  type CallState,
  canTransition,
  isFinal,
  isPending,
  PENDING_STATES,
  statesBefore,
} from '../../src/domain/call-states.js';

const FINAL = ['completed', 'no_answer', 'busy', 'voicemail', 'failed', 'blocked', 'expired', 'canceled'];
const CLAIMED: CallState[] = ['dialing', 'in_progress', 'dial_unknown'];

/** Every state that can follow `from`, in one move or many. */
function after(...from: CallState[]): Set<CallState> {
  const found = new Set<CallState>();
  const open = [...from];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    for (const next of CALL_STATES.filter((to) => canTransition(state, to))) {
      if (!found.has(next)) open.push(next);
      found.add(next);
    }
  }
  return found;
}

test('the states are those of the design', () => {
  expect([...CALL_STATES].sort()).toEqual(
    ['scheduled', 'queued', 'dialing', 'in_progress', 'dial_unknown', ...FINAL].sort(),
  );
});

test('every state is an initial one, or can be reached from one', () => {
  const reachable = new Set<CallState>([...INITIAL_STATES, ...after(...INITIAL_STATES)]);
  expect([...reachable].sort()).toEqual([...CALL_STATES].sort());
});

test('a call is created pending, or is refused at its creation', () => {
  expect(INITIAL_STATES).toEqual(['scheduled', 'queued', 'blocked']);
});

describe.each(CALL_STATES)('%s', (state) => {
  const moves: readonly CallState[] = CALL_TRANSITIONS[state];

  test('moves only to states that exist, each listed once', () => {
    expect(CALL_STATES).toEqual(expect.arrayContaining([...moves]));
    expect(new Set(moves).size).toBe(moves.length);
  });

  test('is final if and only if the design says so, and a final state has no exits', () => {
    expect(isFinal(state)).toBe(FINAL.includes(state));
    expect(moves.length === 0).toBe(FINAL.includes(state));
  });

  test('is final, or can still become so: no call is stuck', () => {
    expect(isFinal(state) || [...after(state)].some(isFinal)).toBe(true);
  });

  test('is pending only as scheduled or queued', () => {
    expect(isPending(state)).toBe(state === 'scheduled' || state === 'queued');
  });

  test('canTransition and statesBefore say what the table says', () => {
    for (const to of CALL_STATES) {
      expect(canTransition(state, to)).toBe(moves.includes(to));
      expect(statesBefore(to).includes(state)).toBe(moves.includes(to));
    }
  });
});

describe('at most one dial per call request', () => {
  test.each(['in_progress', 'dial_unknown'] as const)(
    'from %s, a call is never pending and never dialing again',
    (state) => {
      const later = after(state);
      expect([...PENDING_STATES, 'dialing' as const].filter((again) => later.has(again))).toEqual([]);
    },
  );

  test('from dialing, the one way back is to queued, for a dial that was certainly not made', () => {
    expect(CALL_TRANSITIONS.dialing.filter(isPending)).toEqual(['queued']);
  });

  test('only a pending call is claimed', () => {
    expect([...statesBefore('dialing')].sort()).toEqual([...PENDING_STATES].sort());
  });

  test('only what was dialed is in progress, or ends as a call that was answered or not', () => {
    const dialed = [
      'in_progress',
      'dial_unknown',
      'completed',
      'no_answer',
      'busy',
      'voicemail',
      'failed',
    ] as const;
    for (const state of dialed) {
      expect(statesBefore(state).filter((from) => !CLAIMED.includes(from))).toEqual([]);
    }
  });
});

test.each(['blocked', 'expired', 'canceled'] as const)('only a pending call becomes %s', (state) => {
  expect([...statesBefore(state)].sort()).toEqual([...PENDING_STATES].sort());
});

test('a call outside hours waits as scheduled, however often its slot moves', () => {
  expect([...statesBefore('scheduled')].sort()).toEqual([...PENDING_STATES].sort());
});

test('dial_unknown is settled by whatever a carrier can report', () => {
  expect([...statesBefore('dial_unknown')].sort()).toEqual(['dialing', 'in_progress']);
  expect([...CALL_TRANSITIONS.dial_unknown].sort()).toEqual(
    [...CALL_TRANSITIONS.dialing].filter((to) => to !== 'dial_unknown' && to !== 'queued').sort(),
  );
});
