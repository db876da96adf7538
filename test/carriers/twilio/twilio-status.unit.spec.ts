import {
  ANSWERED_BY,
  type AnsweredBy,
  eventOf,
  TWILIO_STATUSES,
  type TwilioReport,
  type TwilioStatus,
} from '../../../src/carriers/twilio/twilio-status.js';
import { callRequestId } from '../support.js';

const ID = callRequestId(1);
const END = new Date('2026-11-20T14:00:30Z');
const SID = `CA${'0'.repeat(32)}`;
const STATUSES = Object.keys(TWILIO_STATUSES) as TwilioStatus[];
const RESULTS = [null, ...Object.keys(ANSWERED_BY)] as (AnsweredBy | null)[];

function report(status: TwilioStatus, more: Partial<TwilioReport> = {}): TwilioReport {
  const nothing = { answeredBy: null, durationSeconds: null, sipCode: null, errorCode: null };
  return { callSid: SID, status, at: END, ...nothing, ...more };
}

/** Ours for each status of Twilio's; `*` stands for any answer, by a person or a machine. */
const TABLE: Record<TwilioStatus, Record<string, string>> = {
  queued: { '*': 'in_progress' },
  initiated: { '*': 'in_progress' },
  ringing: { '*': 'in_progress' },
  'in-progress': { '*': 'in_progress' },
  completed: {
    null: 'completed',
    human: 'completed',
    unknown: 'completed',
    machine: 'voicemail',
    machine_start: 'voicemail',
    machine_end_beep: 'voicemail',
    machine_end_silence: 'voicemail',
    machine_end_other: 'voicemail',
    fax: 'voicemail',
  },
  busy: { '*': 'busy' },
  'no-answer': { '*': 'no_answer' },
  canceled: { '*': 'failed' },
  failed: { '*': 'failed' },
};
const CASES = STATUSES.flatMap((status) =>
  RESULTS.map((result) => [status, result, TABLE[status][String(result)] ?? TABLE[status]['*']] as const),
);

test.each(CASES)('%s, answered by %s: %s', (status, answeredBy, expected) => {
  expect(expected).toBeDefined();
  expect(eventOf(ID, report(status, { answeredBy })).status).toBe(expected);
});

test('a completed call stores its duration, answer and end', () => {
  expect(eventOf(ID, report('completed', { durationSeconds: 30 }))).toEqual({
    callRequestId: ID,
    carrierCallId: SID,
    status: 'completed',
    at: END,
    durationSeconds: 30,
    answeredAt: new Date('2026-11-20T14:00:00Z'),
  });
  expect(eventOf(ID, report('completed'))).not.toHaveProperty('answeredAt');
});

test('only an answered call stores an answer', () => {
  expect(eventOf(ID, report('in-progress')).answeredAt).toEqual(END);
  for (const status of STATUSES.filter((known) => !['in-progress', 'completed'].includes(known))) {
    expect(eventOf(ID, report(status, { durationSeconds: 0 }))).not.toHaveProperty('answeredAt');
  }
});

test.each([
  ['failed', { sipCode: 404, errorCode: 13224 }, 'sip_404'],
  ['failed', { errorCode: 13224 }, 'twilio_13224'],
  ['failed', {}, 'carrier_failed'],
  ['canceled', {}, 'carrier_canceled'],
  ['busy', { sipCode: 486 }, 'sip_486'],
  ['no-answer', { sipCode: 487 }, 'sip_487'],
  ['busy', { sipCode: 603 }, 'declined'],
  ['busy', { errorCode: 31603 }, 'declined'],
  ['failed', { sipCode: 607 }, 'declined'],
  ['failed', { sipCode: 608 }, 'network_blocked'],
  ['busy', { sipCode: 603, networkBlocked: true }, 'network_blocked'],
  ['no-answer', {}, undefined],
  ['ringing', { sipCode: 180 }, undefined],
  ['completed', { sipCode: 200 }, undefined],
] as const)('the reason for %s with %j: %s', (status, more, reason) => {
  const event = eventOf(ID, report(status, more));
  expect(event.reason).toBe(reason);
  if (reason === 'declined' || reason === 'network_blocked') expect(event.status).toBe('failed');
});
