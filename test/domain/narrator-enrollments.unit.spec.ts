import { WAITING_FOR } from '../../src/domain/campaigns/decide/decision.js';
import { enrollmentLabel, endLabel, waitLabel } from '../../src/domain/narrator/enrollment.js';
import { tellTimeline } from '../../src/domain/narrator/timeline.js';
import { tellWhyNot } from '../../src/domain/narrator/why-not.js';

const AT = '2026-11-20T15:00:00.000Z';
const LATER = '2026-11-20T16:00:00.000Z';

function tell(rule: string, evidence: Record<string, unknown> = {}, retryAt: string | null = null): string {
  const { title, text, next } = tellWhyNot({ rule, evidence, retryAt }, (at) => at);
  return [`${title}.`, text, next].filter((part) => part !== '').join(' ');
}

const paused = { campaign: 'active', teamOrPlatform: false, enrollment: false };
const lastCall = { seq: 2, outcome: 'no_answer', endedAt: AT };

test.each<[string, Record<string, unknown>, string | null, string]>([
  [
    'retry',
    { lastCall },
    LATER,
    `Its next retry. Call 2 ended at ${AT}: no answer. If nothing changes, it is dialed at ${LATER}.`,
  ],
  [
    'after',
    { lastCall: null },
    LATER,
    `The start of its step. If nothing changes, it is dialed at ${LATER}.`,
  ],
  [
    'carrier',
    { lastCall: { ...lastCall, outcome: 'not_dialed' } },
    LATER,
    `The carrier. Call 2 ended at ${AT}: the carrier could not dial it. If nothing changes, it is dialed at ${LATER}.`,
  ],
  [
    'hours',
    { timezone: 'Asia/Tokyo', localTime: 'Fri 2026-11-20 23:00', openForAgent: true, openForCampaign: false },
    LATER,
    `Calling hours. It is Fri 2026-11-20 23:00 in Asia/Tokyo, outside the calling hours of the campaign. If nothing changes, it is dialed at ${LATER}.`,
  ],
  [
    'caps',
    {
      caps: { perNumber: [{ count: 1, per: 'PT24H' }], afterConversation: 'P7D' },
      callsToNumber: [1],
      lastConversationAt: AT,
    },
    LATER,
    `Caps of the campaign. 1 of 1 calls to the number in PT24H. The last conversation ended at ${AT}; the rest after it is P7D. If nothing changes, it is dialed at ${LATER}.`,
  ],
  [
    'NUMBER_LIMIT_DAILY',
    { limit: 1, processed: 1, windowHours: 24 },
    LATER,
    `This number, 24 hours. 1 other call to the number in the 24 hours before; the limit is 1. If nothing changes, it is dialed at ${LATER}.`,
  ],
  [
    'number_busy',
    { expiresAt: LATER },
    null,
    `Another call to the number. Another call to the number is pending or under way; if it is not dialed, it expires at ${LATER}. It is dialed after that call.`,
  ],
  [
    'paused',
    { ...paused, teamOrPlatform: true, enrollment: true },
    null,
    'The end of a pause. The team or the whole platform is paused, and the enrollment is paused. It is dialed again after the pause.',
  ],
  [
    'pacing',
    { callsPerMinute: 60, startedInLastMinute: 60 },
    LATER,
    `The pacing of the campaign. The campaign started 60 calls in the last minute; the limit is 60. If nothing changes, it is dialed at ${LATER}.`,
  ],
  [
    'concurrency',
    { teamLimit: 3, active: 2, waitingCalls: 1, campaignLimit: null, activeOfCampaign: null },
    null,
    'A concurrency slot. The team has 2 of 3 active calls. 1 triggered calls of the team come first. It is dialed when a concurrency slot is free.',
  ],
  [
    'in_call',
    { lastCall: { ...lastCall, outcome: null } },
    null,
    'The end of its call. Call 2 is under way. The end of the call decides.',
  ],
  [
    'result',
    { lastCall: { ...lastCall, outcome: 'completed' }, until: LATER },
    null,
    `The result of its call. Call 2 ended at ${AT}: completed. Its result is awaited until ${LATER}. The result decides.`,
  ],
  [
    'outcome',
    { lastCall: { ...lastCall, outcome: 'unknown', endedAt: null } },
    null,
    'An unknown outcome to be resolved. The outcome of call 2 is unknown. Nothing is dialed until the carrier reports, or the call is resolved.',
  ],
  [
    'caller_id',
    { agentId: 'x' },
    null,
    'A caller ID. The agent of the step has no active, outbound-enabled number to call from. Only a change helps: within a minute of it, the enrollment is decided again.',
  ],
])('why an enrollment waits for %s', (rule, evidence, retryAt, expected) => {
  expect(tell(rule, evidence, retryAt)).toBe(expected);
});

test('every wait has a label and an explanation, also without evidence', () => {
  for (const rule of WAITING_FOR) {
    expect(waitLabel(rule)).not.toBe(rule);
    expect(tell(rule)).toMatch(/^[A-Z0-9].*\.$/);
  }
  expect(enrollmentLabel('exited')).toBe('Exited');
  expect(enrollmentLabel('gone')).toBe('gone');
  expect(endLabel('constructor')).toBe('constructor');
});

test('a timeline as text', () => {
  const lines = [
    { kind: 'step', step: 'first' },
    { kind: 'version', versionId: 'v' },
    { kind: 'dial', seq: 1, step: 'first', callback: true, callRequestId: 'c' },
    { kind: 'call', status: 'dial_unknown', callRequestId: 'c' },
    { kind: 'call', status: 'no_answer', callRequestId: 'c' },
    { kind: 'result', goal: true, optOut: true, callbackAt: LATER, callRequestId: 'c' },
    { kind: 'result', goal: false, optOut: false, callbackAt: null, callRequestId: 'c' },
    { kind: 'deferred', until: LATER, waitingFor: 'retry' },
    { kind: 'held', until: null, waitingFor: 'PLAN_LIMIT' },
    { kind: 'paused' },
    { kind: 'resumed' },
    { kind: 'ended', status: 'exited', endReason: 'caps' },
    { kind: 'of_another_release' },
  ].map((line) => ({ at: AT, ...line }));
  const told = tellTimeline(
    lines,
    (at) => at,
    () => '2',
  );
  expect(told.map(({ text }) => text)).toEqual([
    'Entered the step first',
    'Moved to version 2',
    'Call 1 of the step first, a requested callback',
    'The outcome of the call is unknown',
    'The call ended: no answer',
    `The result of the call: the goal is reached, the contact opted out, a callback was requested for ${LATER}`,
    'The result of the call was reported',
    `Deferred until ${LATER}: its next retry`,
    expect.stringMatching(/^Held: /) as string,
    'Paused',
    'Resumed',
    'Ended, exited: its attempts were spent',
    'of_another_release',
  ]);
  expect(told.filter(({ callRequestId }) => callRequestId === 'c')).toHaveLength(5);
});
