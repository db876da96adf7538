import { after, before, DAY, guardrailFacts, HOUR, NOW, SECOND } from '../support/facts.js';
import { decided, dialed, ended, MINUTE, one } from './support/decided.js';
import { step } from './support/definitions.js';

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
    expect(decided(one, { attempts })).toMatchObject(waiting);
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

test('a call that was hung up is not retried, and does not count as reached', () => {
  const retry = { failed: ['PT1H'], no_answer: ['PT1H'] };
  const attempts = [ended('hung_up', NOW)];
  expect(decided({ steps: [step('first', { retry })] }, { attempts })).toEqual({
    kind: 'end',
    status: 'completed',
    endReason: 'no_response',
  });
  const two = { steps: [step('first', { retry }), step('second')] };
  expect(decided(two, { attempts })).toEqual({ kind: 'move', stepKey: 'second' });
});

test('a decline and a block are retried only where they are listed themselves', () => {
  for (const outcome of ['declined', 'network_blocked'] as const) {
    const state = { attempts: [ended(outcome, NOW)] };
    const others = { steps: [step('first', { retry: { failed: ['P1D'], busy: ['P1D'] } })] };
    expect(decided(others, state)).toMatchObject({ status: 'completed', endReason: 'no_response' });
    const listed = { steps: [step('first', { retry: { [outcome]: ['P1D'] } })] };
    expect(decided(listed, state)).toMatchObject({ waitingFor: 'retry', nextAttemptAt: after(DAY) });
  }
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
    expect(decided(definition, state, exempted)).toMatchObject({ ...dialed, callback: true });
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
