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

/** Every state that can follow `from`, in one transition or many. */
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

test('the states equal those of the design', () => {
  expect([...CALL_STATES].sort()).toEqual(
    ['scheduled', 'queued', 'dialing', 'in_progress', 'dial_unknown', ...FINAL].sort(),
  );
});

test('every state is initial, or can be reached', () => {
  const reachable = new Set<CallState>([...INITIAL_STATES, ...after(...INITIAL_STATES)]);
  expect([...reachable].sort()).toEqual([...CALL_STATES].sort());
});

test('a call is created pending, or refused at its creation', () => {
  expect(INITIAL_STATES).toEqual(['scheduled', 'queued', 'blocked']);
});

describe.each(CALL_STATES)('%s', (state) => {
  const transitions: readonly CallState[] = CALL_TRANSITIONS[state];

  test('leads only to existing states, each listed once', () => {
    expect(CALL_STATES).toEqual(expect.arrayContaining([...transitions]));
    expect(new Set(transitions).size).toBe(transitions.length);
  });

  test('is final exactly if the design says so, and a final state has no transitions', () => {
    expect(isFinal(state)).toBe(FINAL.includes(state));
    expect(transitions.length === 0).toBe(FINAL.includes(state));
  });

  test('is final, or a final state can be reached', () => {
    expect(isFinal(state) || [...after(state)].some(isFinal)).toBe(true);
  });

  test('is pending only if it is scheduled or queued', () => {
    expect(isPending(state)).toBe(state === 'scheduled' || state === 'queued');
  });

  test('canTransition and statesBefore agree with the table', () => {
    for (const to of CALL_STATES) {
      expect(canTransition(state, to)).toBe(transitions.includes(to));
      expect(statesBefore(to).includes(state)).toBe(transitions.includes(to));
    }
  });
});

describe('a call request is dialed at most once', () => {
  test.each(['in_progress', 'dial_unknown'] as const)(
    'from %s, a call does not become pending or dialing again',
    (state) => {
      const later = after(state);
      expect([...PENDING_STATES, 'dialing' as const].filter((again) => later.has(again))).toEqual([]);
    },
  );

  test('from dialing, only a dial that was certainly not made returns to queued', () => {
    expect(CALL_TRANSITIONS.dialing.filter(isPending)).toEqual(['queued']);
  });

  test('only a pending call can be claimed', () => {
    expect([...statesBefore('dialing')].sort()).toEqual([...PENDING_STATES].sort());
  });

  test('only a dialed call can be in progress or end as an answered or unanswered call', () => {
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

test.each(['blocked', 'expired', 'canceled'] as const)('only a pending call can become %s', (state) => {
  expect([...statesBefore(state)].sort()).toEqual([...PENDING_STATES].sort());
});

test('a call outside calling hours stays scheduled while its due time changes', () => {
  expect([...statesBefore('scheduled')].sort()).toEqual([...PENDING_STATES].sort());
});

test('every result that a carrier can report resolves dial_unknown', () => {
  expect([...statesBefore('dial_unknown')].sort()).toEqual(['dialing', 'in_progress']);
  expect([...CALL_TRANSITIONS.dial_unknown].sort()).toEqual(
    [...CALL_TRANSITIONS.dialing].filter((to) => to !== 'dial_unknown' && to !== 'queued').sort(),
  );
});
