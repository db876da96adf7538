import { CALL_STATES } from '../../src/domain/call-states.js';
import { moodOf, type NarratedCall, tellCall } from '../../src/domain/narrator/call.js';
import { causeLabel, CAUSES, reasonLabel, stateLabel, STATES } from '../../src/domain/narrator/labels.js';
import { decisionsOf, transitionsOf, tellHistory } from '../../src/domain/narrator/record.js';

const NOW = new Date('2026-11-20T15:00:00.000Z');
const AT = NOW.toISOString();
const LATER = '2026-11-20T16:00:00.000Z';
const EARLIER = '2026-11-20T14:58:00.000Z';

const CALL: NarratedCall = {
  status: 'queued',
  reason: null,
  runsAt: EARLIER,
  expiresAt: LATER,
  notBefore: null,
  waitingForLineSince: null,
  wokenAt: EARLIER,
  claimedAt: null,
  processedAt: null,
  endedAt: null,
  callerId: null,
  history: [],
};
const NO_PAUSE = { team: false, platform: false };

function tell(call: Partial<NarratedCall>, paused = NO_PAUSE): string {
  const { answer, more } = tellCall({ ...CALL, ...call }, { now: NOW, timeOf: (at) => at, paused });
  return [answer, ...more].join(' ');
}

const after = (cause: string) => [{ at: EARLIER, from: 'dialing', to: 'queued', cause }];

describe('the reason for a wait is given in the order of the firing’s checks', () => {
  const waiting = { waitingForLineSince: EARLIER };
  test.each<[string, Partial<NarratedCall>, string, typeof NO_PAUSE]>([
    ['the platform', waiting, 'all calls are paused.', { team: true, platform: true }],
    ['the team', waiting, 'its team is paused.', { team: true, platform: false }],
    [
      'calling hours',
      { status: 'scheduled', runsAt: LATER },
      `to be dialed on ${LATER}, in 1 h. It waits for its calling hours.`,
      NO_PAUSE,
    ],
    [
      'its notBefore',
      { status: 'scheduled', runsAt: LATER, notBefore: LATER },
      `to be dialed on ${LATER}, in 1 h. Its request asked for no call before ${LATER}.`,
      NO_PAUSE,
    ],
    [
      'calling hours after its notBefore',
      { status: 'scheduled', runsAt: LATER, notBefore: AT },
      `to be dialed on ${LATER}, in 1 h. Its request asked for no call before ${AT}, and it waits for its calling hours.`,
      NO_PAUSE,
    ],
    [
      'a busy carrier',
      { runsAt: LATER, history: after('carrier_throttled') },
      `its carrier took no more calls; to be dialed on ${LATER}, in 1 h.`,
      NO_PAUSE,
    ],
    [
      'an unreachable carrier',
      { history: after('carrier_unreachable') },
      `its carrier could not be reached; due since ${EARLIER}, 2 min ago. It waits for a worker or for a pacing slot of its carrier.`,
      NO_PAUSE,
    ],
    [
      'a requeue',
      { wokenAt: LATER, history: after('carrier_throttled') },
      `its carrier took no more calls; due since ${EARLIER}, 2 min ago. It is tried again on ${LATER}, in 1 h.`,
      NO_PAUSE,
    ],
    [
      'a wake-up between two reads of a page',
      { wokenAt: new Date(NOW.getTime() + 500).toISOString() },
      `due since ${EARLIER}, 2 min ago. It waits for a worker or for a pacing slot of its carrier.`,
      NO_PAUSE,
    ],
    [
      'an open circuit, which adds nothing to the history',
      { wokenAt: LATER },
      `its carrier could not be reached, or its carrier account has as many calls as its limits allow; due since ${EARLIER}, 2 min ago. It is tried again on ${LATER}, in 1 h.`,
      NO_PAUSE,
    ],
    [
      'a concurrency slot',
      { ...waiting, history: after('carrier_throttled') },
      `it waits since ${EARLIER} for a concurrency slot, because its team has as many active calls as it may.`,
      NO_PAUSE,
    ],
    [
      'a worker',
      {},
      `due since ${EARLIER}, 2 min ago. It waits for a worker or for a pacing slot of its carrier.`,
      NO_PAUSE,
    ],
  ])('%s', (_, call, why, paused) => {
    expect(tell(call, paused)).toBe(`Not called yet: ${why} It expires on ${LATER}.`);
  });
});

test.each<[Partial<NarratedCall>, string]>([
  [
    { status: 'failed', claimedAt: AT, reason: 'CONGESTION', history: after('carrier_refused') },
    'Not called: the carrier refused it (congestion). It counts against no limit.',
  ],
  [
    { status: 'failed', claimedAt: AT, reason: 'CARRIER_NOT_CONFIGURED', history: after('not_dialed') },
    'Not called: the agent’s carrier is not configured. It counts against no limit.',
  ],
  [
    { status: 'failed', claimedAt: AT, processedAt: AT, reason: 'congestion', callerId: '+14155550100' },
    `Called on ${AT}, and it failed: congestion. Its caller ID is +14155550100.`,
  ],
  [
    { status: 'blocked', reason: 'DO_NOT_CALL', history: after('do_not_call') },
    'Not called: the number was added to the Do Not Call list while the call waited.',
  ],
  [
    { status: 'blocked', reason: 'NO_CALLER_ID' },
    'Not called: the team has no active, outbound-enabled number to call from.',
  ],
  [
    { status: 'expired', endedAt: AT },
    'Not called: it was due outside calling hours, and the next opening is too late.',
  ],
  [{ status: 'expired', endedAt: LATER }, `Not called: it expired on ${LATER}.`],
])('how a call ended: %j', (call, sentence) => {
  expect(tell(call)).toBe(sentence);
});

test('every state has a sentence, a label and a mood', () => {
  for (const status of CALL_STATES) {
    expect(tell({ status })).toMatch(/^[A-Z].*\.$/);
    expect(stateLabel(status)).toBe(STATES[status].label);
    expect(['good', 'warn', 'bad', '']).toContain(moodOf(status));
  }
});

test('unknown codes are shown as text', () => {
  expect(stateLabel('later')).toBe('later');
  expect(causeLabel('DO_NOT_CALL')).toBe(
    'Refused when it was about to be dialed: the number is on the Do Not Call list',
  );
  expect(causeLabel('carrier_gave_up')).toBe('Carrier gave up');
  expect(reasonLabel('NEW_RULE')).toBe('New rule');
  expect(tellHistory([null, 1, { to: 'x' }, { at: AT, to: 'queued', cause: 'triggered' }])).toEqual([
    { at: AT, cause: CAUSES.triggered, to: 'Queued' },
  ]);
  expect(transitionsOf(['x'])).toEqual([]);
  expect(decisionsOf([null, {}, { at: AT, rules: [null] }, { at: AT, rules: [{ evidence: null }] }])).toEqual(
    [],
  );
});

test.each(['constructor', '__proto__'])('%s is an unknown code', (code) => {
  expect([stateLabel(code), causeLabel(code), reasonLabel(code)].map((label) => typeof label)).toEqual(
    Array.from({ length: 3 }, () => 'string'),
  );
});
