import { after, before, DAY, guardrailFacts, HOUR, MONDAYS, NEXT_MONDAY, SECOND } from '../support/facts.js';
import { decided, dialed, ended, MINUTE, one } from './support/decided.js';
import { step } from './support/definitions.js';

test('a due enrollment is dialed, with the definition’s variables', () => {
  const definition = { ...one, variables: { offer: 'spring' } };
  expect(decided(definition)).toMatchObject({ ...dialed, variables: { offer: 'spring' } });
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
    expect(decided(one, {}, { agent })).toMatchObject(deferred('hours', NEXT_MONDAY));
  });

  test('re-dial window; nextAttemptAt is correct although it ends outside calling hours', () => {
    const guardrails = guardrailFacts({ processedAt: [before(HOUR).getTime()] });
    expect(decided(one, {}, { guardrails })).toMatchObject(deferred('RECENTLY_CALLED', after(11 * HOUR)));
    expect(decided(one, {}, { guardrails, agent })).toMatchObject(deferred('hours', NEXT_MONDAY));
  });

  test('a delay that ends within the window: waitingFor is the delay until its end, then the window', () => {
    const guardrails = guardrailFacts({ processedAt: [before(HOUR).getTime()] });
    const later = { steps: [step('first', { after: 'PT30H' })] };
    const end = after(11 * HOUR);
    const state = { enrolledAt: before(DAY) };
    expect(decided(later, state, { guardrails })).toMatchObject({
      waitingFor: 'after',
      nextAttemptAt: end,
      lookAt: after(6 * HOUR),
    });
    expect(decided(later, state, { guardrails }, after(6 * HOUR))).toMatchObject(
      deferred('RECENTLY_CALLED', end),
    );
  });

  test('of several rules the first is named, and decided again when it agrees', () => {
    const guardrails = guardrailFacts({ processedAt: [before(HOUR).getTime()] });
    const definition = { ...one, caps: { afterConversation: 'PT14H' } };
    const some = { guardrails, lastConversationAt: before(HOUR) };
    const [window, rest] = [after(11 * HOUR), after(13 * HOUR)];
    expect(decided(definition, {}, some)).toMatchObject({
      waitingFor: 'RECENTLY_CALLED',
      nextAttemptAt: rest,
      lookAt: window,
    });
    expect(decided(definition, {}, some, window)).toMatchObject(deferred('caps', rest));
  });

  test('number’s limits', () => {
    const guardrails = guardrailFacts({ processedAt: [before(13 * HOUR).getTime()], numberDailyLimit: 1 });
    expect(decided(one, {}, { guardrails })).toMatchObject(deferred('NUMBER_LIMIT_DAILY', after(11 * HOUR)));
  });

  test('caps per number count all processed calls of the team', () => {
    const definition = { ...one, caps: { perNumber: [{ count: 1, per: 'P1D' }] } };
    const processedToNumber = [before(20 * HOUR).getTime()];
    expect(decided(definition, {}, { processedToNumber })).toMatchObject(deferred('caps', after(4 * HOUR)));
  });

  test('hours of the definition only narrow the agent’s; hours without an opening hold the enrollment', () => {
    const definition = { ...one, hours: { tuesday: [{ start: '09:00', end: '17:00' }] } };
    expect(decided(definition, {}, { agent })).toMatchObject({ kind: 'hold', waitingFor: 'hours' });
    expect(decided(definition)).toMatchObject(deferred('hours', after(DAY, NEXT_MONDAY)));
  });

  test('another pending call: deferred to its expiry at the latest', () => {
    const otherCall = { expiresAt: after(HOUR) };
    expect(decided(one, {}, { otherCall })).toMatchObject(deferred('number_busy', after(HOUR)));
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
    expect(decided(definition, state)).toMatchObject(waiting);
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
