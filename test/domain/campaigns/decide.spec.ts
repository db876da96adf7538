import { decide } from '../../../src/domain/campaigns/decide/decide.js';
import { type Attempt, type EnrollmentState } from '../../../src/domain/campaigns/decide/enrollment.js';
import { type CampaignFacts } from '../../../src/domain/campaigns/decide/facts.js';
import {
  after,
  before,
  DAY,
  guardrailFacts,
  HOUR,
  MONDAYS,
  NEXT_MONDAY,
  NOW,
  SECOND,
} from '../support/facts.js';
import { AGENT, definitionOf, step } from './support/definitions.js';

const MINUTE = 60 * SECOND;
const ENROLLED = before(DAY);
const enrollment = (state: Partial<EnrollmentState> = {}): EnrollmentState => ({
  ...{ enrolledAt: ENROLLED, stepKey: null, paused: false, notBefore: null, attempts: [], ...state },
});
const facts = (some: Partial<CampaignFacts> = {}): CampaignFacts => ({
  campaignStatus: 'active',
  ...{ paused: false, contactDeleted: false, contactTimezone: null },
  agent: { timezone: 'UTC', callingHours: null, closedDates: [], deleted: false },
  guardrails: guardrailFacts(),
  ...{ retryWithinRedialWindow: false, processedToNumber: [], lastConversationAt: null, otherCall: null },
  ...{ hasCallerId: true, carrierAwayUntil: null, pacedUntil: null, hasConcurrencySlot: true },
  ...some,
});
const ended = (outcome: Attempt['outcome'], at: Date, fields: Partial<Attempt> = {}): Attempt => ({
  ...{ stepKey: 'first', callback: false, processedAt: before(MINUTE, at), outcome },
  ...{ endedAt: at, recordedAt: at, result: null, ...fields },
});
const decided = (
  definition: object,
  state: Partial<EnrollmentState> = {},
  some: Partial<CampaignFacts> = {},
  now = NOW,
) => decide(enrollment(state), definitionOf(definition), facts(some), now);

const one = { steps: [step('first')] };
const dialed = { kind: 'dial', stepKey: 'first', agentId: AGENT, variables: {}, callback: false };

test('a due enrollment is dialed, with the definition’s variables', () => {
  const definition = { ...one, variables: { offer: 'spring' } };
  expect(decided(definition)).toEqual({ ...dialed, variables: { offer: 'spring' } });
});

test('{} places no calls, and neither does a step that the definition does not contain', () => {
  expect(decided({})).toEqual({ kind: 'idle', lookAt: null });
  expect(decided({ caps: { lifetime: 'P2D' } })).toEqual({ kind: 'idle', lookAt: after(DAY) });
  expect(decided(one, { stepKey: 'gone' })).toEqual({ kind: 'idle', lookAt: null });
});

describe('a refusal that protects the contact ends the enrollment', () => {
  test.each([
    ['archived', { campaignStatus: 'archived' as const }],
    ['contact_deleted', { contactDeleted: true }],
    ['suppressed', { guardrails: guardrailFacts({ onDoNotCall: true }) }],
  ])('%s, also while paused', (endReason, some) => {
    expect(decided(one, { paused: true }, some)).toEqual({ kind: 'end', status: 'exited', endReason });
  });
});

describe('a refusal by time defers to the rule’s retryAt, then to the first opening', () => {
  const agent = { timezone: 'UTC', callingHours: MONDAYS, closedDates: [], deleted: false };
  const deferred = (waitingFor: string, at: Date) => ({
    kind: 'defer',
    waitingFor,
    nextAttemptAt: at,
    lookAt: at,
  });

  test('outside hours', () => {
    expect(decided(one, {}, { agent })).toEqual(deferred('hours', NEXT_MONDAY));
  });

  test('re-dial window; nextAttemptAt is correct although it ends outside calling hours', () => {
    const guardrails = guardrailFacts({ processedAt: [before(HOUR).getTime()] });
    expect(decided(one, {}, { guardrails })).toEqual(deferred('RECENTLY_CALLED', after(11 * HOUR)));
    expect(decided(one, {}, { guardrails, agent })).toEqual(deferred('hours', NEXT_MONDAY));
  });

  test('a delay that ends within the window: waitingFor is the delay until its end, then the window', () => {
    const guardrails = guardrailFacts({ processedAt: [before(HOUR).getTime()] });
    const later = { steps: [step('first', { after: 'PT30H' })] };
    const end = after(11 * HOUR);
    const state = { enrolledAt: before(DAY) };
    expect(decided(later, state, { guardrails })).toMatchObject({
      ...{ waitingFor: 'after', nextAttemptAt: end, lookAt: after(6 * HOUR) },
    });
    expect(decided(later, state, { guardrails }, after(6 * HOUR))).toEqual(deferred('RECENTLY_CALLED', end));
  });

  test('of several rules the first is named, and decided again when it agrees', () => {
    const guardrails = guardrailFacts({ processedAt: [before(HOUR).getTime()] });
    const definition = { ...one, caps: { afterConversation: 'PT14H' } };
    const some = { guardrails, lastConversationAt: before(HOUR) };
    const [window, rest] = [after(11 * HOUR), after(13 * HOUR)];
    expect(decided(definition, {}, some)).toMatchObject({
      ...{ waitingFor: 'RECENTLY_CALLED', nextAttemptAt: rest, lookAt: window },
    });
    expect(decided(definition, {}, some, window)).toEqual(deferred('caps', rest));
  });

  test('number’s limits', () => {
    const guardrails = guardrailFacts({ processedAt: [before(13 * HOUR).getTime()], numberDailyLimit: 1 });
    expect(decided(one, {}, { guardrails })).toEqual(deferred('NUMBER_LIMIT_DAILY', after(11 * HOUR)));
  });

  test('caps per number count all processed calls of the team', () => {
    const definition = { ...one, caps: { perNumber: [{ count: 1, per: 'P1D' }] } };
    const processedToNumber = [before(20 * HOUR).getTime()];
    expect(decided(definition, {}, { processedToNumber })).toEqual(deferred('caps', after(4 * HOUR)));
  });

  test('hours of the definition only narrow the agent’s; hours without an opening hold the enrollment', () => {
    const definition = { ...one, hours: { tuesday: [{ start: '09:00', end: '17:00' }] } };
    expect(decided(definition, {}, { agent })).toMatchObject({ kind: 'hold', waitingFor: 'hours' });
    expect(decided(definition)).toEqual(deferred('hours', after(DAY, NEXT_MONDAY)));
  });

  test('another pending call: deferred to its expiry at the latest', () => {
    const otherCall = { expiresAt: after(HOUR) };
    expect(decided(one, {}, { otherCall })).toEqual(deferred('number_busy', after(HOUR)));
  });
});

test.each([
  ['PLAN_LIMIT', { guardrails: guardrailFacts({ monthlyCallLimit: 1, planUsed: 1 }) }],
  ['COUNTRY_NOT_ALLOWED', { guardrails: guardrailFacts({ allowedCountries: ['DE'] }) }],
  ['NOT_WHITELISTED', { guardrails: guardrailFacts({ whitelistOnly: true, whitelisted: false }) }],
  ['caller_id', { hasCallerId: false }],
  ['paused', { paused: true }],
  ['paused', { campaignStatus: 'paused' as const }],
  ['concurrency', { hasConcurrencySlot: false }],
])('a refusal by configuration holds for %s, and is decided again within 60 s', (waitingFor, some) => {
  expect(decided(one, {}, some)).toMatchObject({ kind: 'hold', waitingFor, lookAt: after(60 * SECOND) });
});

test('a deleted agent: failed/not_dialable as soon as a dial is next; outcomes apply before', () => {
  const agent = { timezone: 'UTC', callingHours: null, closedDates: [], deleted: true };
  const failed = { kind: 'end', status: 'failed', endReason: 'not_dialable' };
  const later = { steps: [step('first', { after: 'P9D' })] };
  expect(decided(one, {}, { agent })).toEqual(failed);
  expect(decided(later, { paused: true }, { agent })).toEqual(failed);
  const state = { attempts: [ended('completed', before(HOUR))] };
  expect(decided(one, state, { agent })).toEqual({ kind: 'end', status: 'completed', endReason: 'reached' });
  const inCall = { attempts: [ended(null, before(HOUR), { endedAt: null, recordedAt: null })] };
  expect(decided(one, inCall, { agent })).toMatchObject({ kind: 'hold', waitingFor: 'in_call' });
});

test('outcomes apply while the enrollment is paused', () => {
  const state = { paused: true, attempts: [ended('completed', before(HOUR))] };
  expect(decided(one, state)).toEqual({ kind: 'end', status: 'completed', endReason: 'reached' });
});

describe('lifetime', () => {
  const definition = { steps: [step('first', { retry: { busy: ['P1D'] } })], caps: { lifetime: 'P1DT1H' } };

  test('ends the enrollment when it expires, not at the next attempt', () => {
    const state = { attempts: [ended('busy', before(HOUR))] };
    const waiting = { kind: 'defer', waitingFor: 'retry', nextAttemptAt: null, lookAt: after(HOUR) };
    expect(decided(definition, state)).toEqual(waiting);
    const end = { kind: 'end', status: 'exited', endReason: 'lifetime' };
    expect(decided(definition, state, {}, after(HOUR))).toEqual(end);
    expect(decided(definition, { ...state, paused: true }, {}, after(HOUR))).toEqual(end);
  });

  test('does not undo an earlier decision by a call, however late it is applied', () => {
    const state = { attempts: [ended('completed', after(59 * MINUTE))] };
    expect(decided(definition, state, {}, after(DAY))).toMatchObject({ endReason: 'reached' });
    const tie = { attempts: [ended('completed', after(60 * MINUTE))] };
    expect(decided(definition, tie, {}, after(DAY))).toMatchObject({ endReason: 'lifetime' });
  });
});

test('dial_unknown: no dial until it is resolved; the delay counts from the resolution', () => {
  const definition = { steps: [step('first', { retry: { no_answer: ['P1D'] } })] };
  const unknown = ended('unknown', before(HOUR));
  expect(decided(definition, { attempts: [unknown] })).toMatchObject({ kind: 'hold', waitingFor: 'outcome' });
  const resolved = { ...unknown, outcome: 'no_answer' as const, endedAt: NOW, recordedAt: NOW };
  expect(decided(definition, { attempts: [resolved] })).toMatchObject({ nextAttemptAt: after(DAY) });
});

test('carrier away: deferred 5 s doubling to 5 min', () => {
  const pauses = [5, 10, 20, 40, 80, 160, 300, 300];
  for (const [index, seconds] of pauses.entries()) {
    const attempts = Array.from({ length: index + 1 }, () => ended('not_dialed', NOW, { processedAt: null }));
    const at = after(seconds * SECOND);
    const waiting = { kind: 'defer', waitingFor: 'carrier', nextAttemptAt: at, lookAt: at };
    expect(decided(one, { attempts })).toEqual(waiting);
  }
});

test('permanent refusal: dialed again after 5 min, at most 3 times, then not_dialable; like failed if that is listed', () => {
  const refused = (times: number) => ({
    attempts: Array.from({ length: times }, () => ended('refused', NOW, { processedAt: null })),
  });
  expect(decided(one, refused(2))).toMatchObject({ waitingFor: 'retry', nextAttemptAt: after(5 * MINUTE) });
  expect(decided(one, refused(3))).toEqual({ kind: 'end', status: 'failed', endReason: 'not_dialable' });
  const listed = { steps: [step('first', { retry: { failed: ['PT1H'] } })] };
  expect(decided(listed, refused(1))).toMatchObject({ waitingFor: 'retry', nextAttemptAt: after(HOUR) });
  expect(decided(listed, refused(2))).toMatchObject({ status: 'completed', endReason: 'no_response' });
});

describe('dispositions', () => {
  const on = [
    { disposition: 'interested', goal: true },
    { disposition: 'later', callback: true },
    { outcome: 'completed', end: 'no_response' },
  ];
  const definition = { steps: [step('first', { on })], caps: { afterConversation: 'P7D' } };
  const result = (disposition: string, at: Date, callbackAt: Date | null = null) => ({
    result: { recordedAt: at, disposition, callbackAt },
  });
  const reported = (call: Date, ...told: Parameters<typeof result>) => ({
    attempts: [ended('completed', call, result(...told))],
  });

  test('a completed call waits for one for 15 minutes, then the plain rules apply', () => {
    const state = { attempts: [ended('completed', NOW)] };
    const until = after(15 * MINUTE);
    expect(decided(definition, state)).toMatchObject({ kind: 'defer', waitingFor: 'result', lookAt: until });
    expect(decided(definition, state, {}, until)).toMatchObject({ endReason: 'no_response' });
    const late = reported(NOW, 'later', until, after(DAY));
    expect(decided(definition, late, {}, until)).toMatchObject({ endReason: 'no_response' });
    expect(decided(definition, reported(NOW, 'interested', NOW))).toMatchObject({ endReason: 'goal' });
  });

  test('a goal counts at any time, for any end of the call', () => {
    const late = after(HOUR);
    const goal = { status: 'completed', endReason: 'goal' };
    expect(decided(definition, reported(NOW, 'interested', late), {}, late)).toMatchObject(goal);
    for (const outcome of [null, 'voicemail', 'unknown'] as const) {
      const attempts = [ended(outcome, NOW, result('interested', NOW))];
      expect(decided(definition, { attempts })).toMatchObject(goal);
    }
    const behind = { steps: [step('first', { on: [on[2], on[0]] })] };
    expect(decided(behind, reported(NOW, 'interested', NOW))).toMatchObject({ endReason: 'no_response' });
  });

  test('a requested callback is exempt from afterConversation, not from the re-dial window', () => {
    const call = before(HOUR);
    const state = reported(call, 'later', call, before(MINUTE));
    const some = { lastConversationAt: call, guardrails: guardrailFacts({ processedAt: [call.getTime()] }) };
    expect(decided(definition, state, some)).toMatchObject({ waitingFor: 'RECENTLY_CALLED' });
    const exempted = { ...some, retryWithinRedialWindow: true };
    expect(decided(definition, state, exempted)).toEqual({ ...dialed, callback: true });
    const nextDay = reported(call, 'later', call, after(DAY));
    expect(decided(definition, nextDay)).toMatchObject({ waitingFor: 'callback', nextAttemptAt: after(DAY) });
  });
});

test('no call is dialed before notBefore', () => {
  expect(decided(one, { notBefore: after(HOUR) })).toMatchObject({
    kind: 'defer',
    nextAttemptAt: after(HOUR),
  });
});

test('caps.maxAttempts used up: exited, if another dial would follow', () => {
  const two = { steps: [step('first'), step('second')], caps: { maxAttempts: 1 } };
  expect(decided(two, { attempts: [ended('busy', NOW)] })).toMatchObject({ endReason: 'caps' });
  expect(decided({ ...two, caps: {} }, { attempts: [ended('busy', NOW)] })).toEqual({
    kind: 'move',
    stepKey: 'second',
  });
  const alone = { ...one, caps: { maxAttempts: 1 } };
  expect(decided(alone, { attempts: [ended('busy', NOW)] })).toMatchObject({ endReason: 'no_response' });
});

test('a callback counts for caps, not for retry budgets', () => {
  const on = [{ disposition: 'later', callback: true }];
  const steps = [step('first', { retry: { no_answer: ['P1D'] }, on })];
  const result = { recordedAt: before(HOUR), disposition: 'later', callbackAt: before(HOUR) };
  const attempts = [
    ended('completed', before(HOUR), { result }),
    ended('no_answer', NOW, { callback: true }),
  ];
  expect(decided({ steps }, { attempts })).toMatchObject({ waitingFor: 'retry', nextAttemptAt: after(DAY) });
  expect(decided({ steps, caps: { maxAttempts: 2 } }, { attempts })).toMatchObject({ endReason: 'caps' });
});
