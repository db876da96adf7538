import { parseDefinition } from '../../../src/domain/campaigns/definition/parse-definition.js';
import { AGENT, definitionOf, refusedAt, step } from './support/definitions.js';

const HOUR = 3_600_000;
const delay = (days: number, elapsedMs = 0) => ({ days, elapsedMs });
const empty = {
  steps: [],
  variables: {},
  hours: null,
  closedDates: [],
  caps: { maxAttempts: null, perNumber: [], afterConversation: null, lifetime: null },
};
const oneStep = (fields: object) => ({ steps: [step('first', fields)] });
const withOn = (...on: object[]) => ({ steps: [step('a'), step('b', { on }), step('c')] });

test('a complete definition is valid', () => {
  const definition = definitionOf({
    note: 'spring 2027',
    steps: [
      step('first', {
        after: 'PT0S',
        maxAttempts: 3,
        retry: { no_answer: ['PT2H', 'P1D'], busy: ['PT15M'], voicemail: ['P1D'], failed: ['PT1H'] },
        on: [
          { disposition: 'interested', goal: true },
          { disposition: 'call_later', callback: true },
          { outcome: 'completed', end: 'reached' },
          { outcome: 'no_response', next: 'second' },
        ],
      }),
      step('second', { after: 'P3D' }),
    ],
    variables: { offer: 'spring' },
    hours: null,
    closedDates: [],
    caps: {
      maxAttempts: 6,
      perNumber: [{ count: 1, per: 'PT24H' }],
      afterConversation: 'P7D',
      lifetime: 'P14D',
    },
  });
  expect(definition).toEqual({
    steps: [
      {
        key: 'first',
        agentId: AGENT,
        after: delay(0),
        maxAttempts: 3,
        retry: {
          no_answer: [delay(0, 2 * HOUR), delay(1)],
          busy: [delay(0, HOUR / 4)],
          voicemail: [delay(1)],
          failed: [delay(0, HOUR)],
        },
        on: [
          { when: { kind: 'disposition', disposition: 'interested' }, then: { kind: 'goal' } },
          { when: { kind: 'disposition', disposition: 'call_later' }, then: { kind: 'callback' } },
          { when: { kind: 'outcome', outcome: 'completed' }, then: { kind: 'end', reason: 'reached' } },
          { when: { kind: 'outcome', outcome: 'no_response' }, then: { kind: 'next', stepKey: 'second' } },
        ],
      },
      { key: 'second', agentId: AGENT, after: delay(3), maxAttempts: 1, retry: {}, on: [] },
    ],
    variables: { offer: 'spring' },
    hours: null,
    closedDates: [],
    caps: {
      maxAttempts: 6,
      perNumber: [{ count: 1, per: delay(0, 24 * HOUR) }],
      afterConversation: delay(7),
      lifetime: delay(14),
    },
  });
});

describe('the document', () => {
  test.each([
    [{}],
    [{ note: 'x' }],
    [{ note: { any: [1] } }],
    [{ steps: [] }],
    [{ steps: null, caps: null }],
  ])('%j is valid and places no calls', (input) => expect(definitionOf(input)).toEqual(empty));

  test.each([
    [{ greeting: 'hi' }, 'greeting'],
    [{ note: 1 }, 'note'],
    [{ note: ['x'] }, 'note'],
    [{ steps: {} }, 'steps'],
    [{ steps: Array.from({ length: 51 }, (_, n) => step(`s${n}`)) }, 'steps'],
    [{ variables: [] }, 'variables'],
    [{ caps: { maxCalls: 1 } }, 'caps.maxCalls'],
    [{ caps: [] }, 'caps'],
    [{ ['x y']: 1 }, '"x'],
    [[], 'must'],
    [null, 'must'],
  ])('%j is refused, naming %s', (input, path) => expect(refusedAt(input)).toBe(path));

  test('a very long key is named by its beginning', () => {
    const parsed = parseDefinition({ ['x'.repeat(60_000)]: 1 });
    expect(parsed.ok ? '' : parsed.message).toMatch(/^"x{40}" is not known here/);
  });
});

describe('steps', () => {
  test.each([
    [oneStep({ key: undefined }), 'steps[0].key'],
    [oneStep({ key: 'First' }), 'steps[0].key'],
    [oneStep({ key: '' }), 'steps[0].key'],
    [oneStep({ key: 'x'.repeat(41) }), 'steps[0].key'],
    [oneStep({ key: 7 }), 'steps[0].key'],
    [{ steps: [step('a'), step('a')] }, 'steps[1].key'],
  ])('keys are unique, [a-z0-9_-]{1,40}: %#', (input, path) => expect(refusedAt(input)).toBe(path));

  test('keys of 40 characters, digits, _ and - are valid', () => {
    for (const key of ['x'.repeat(40), '0', '_', '-', 'a_b-1']) {
      expect(definitionOf({ steps: [step(key)] }).steps[0]?.key).toBe(key);
    }
  });

  test('agents are named by their ids', () => {
    expect(refusedAt(oneStep({ agentId: 'reminder' }))).toBe('steps[0].agentId');
    expect(refusedAt(oneStep({ agentId: undefined }))).toBe('steps[0].agentId');
    expect(definitionOf(oneStep({ agentId: AGENT.toUpperCase() })).steps[0]?.agentId).toBe(AGENT);
  });

  test.each([
    [oneStep({ after: 'P1M' }), 'steps[0].after'],
    [oneStep({ after: 3 }), 'steps[0].after'],
    [oneStep({ after: 'P367D' }), 'steps[0].after'],
    [oneStep({ retry: { busy: ['PT1H', 'soon'] } }), 'steps[0].retry.busy[1]'],
    [{ caps: { lifetime: 'P1Y' } }, 'caps.lifetime'],
    [{ caps: { lifetime: 'PT0S' } }, 'caps.lifetime'],
    [{ caps: { afterConversation: '7 days' } }, 'caps.afterConversation'],
    [{ caps: { perNumber: [{ count: 1, per: 'P0D' }] } }, 'caps.perNumber[0].per'],
  ])('durations are ISO 8601 with W, D, H, M, S, at most P366D: %#', (input, path) =>
    expect(refusedAt(input)).toBe(path),
  );

  test.each([
    [oneStep({ wait: 'P1D' }), 'steps[0].wait'],
    [{ steps: [1] }, 'steps[0]'],
  ])('unknown keys of a step are refused: %#', (input, path) => expect(refusedAt(input)).toBe(path));
});

describe('retry', () => {
  test('lists the delays of an outcome; unlisted outcomes are not retried', () => {
    expect(definitionOf(oneStep({ retry: { busy: ['PT1H'], failed: [] } })).steps[0]?.retry).toEqual({
      busy: [delay(0, HOUR)],
      failed: [],
    });
  });

  test.each(['unknown', 'completed', 'dial_unknown', 'canceled'])('%s is no key', (outcome) => {
    const steps = [step('first'), step('second', { retry: { [outcome]: ['PT1H'] } })];
    expect(refusedAt({ steps })).toBe(`steps[1].retry.${outcome}`);
  });

  test.each([
    [{ busy: 'PT1H' }, 'steps[0].retry.busy'],
    [{ busy: Array<string>(21).fill('P1D') }, 'steps[0].retry.busy'],
    [['PT1H'], 'steps[0].retry'],
  ])('%j is refused', (retry, path) => expect(refusedAt(oneStep({ retry }))).toBe(path));

  test('maxAttempts defaults to 1 + the number of all delays', () => {
    const retry = { no_answer: ['PT2H', 'P1D'], busy: ['PT15M'] };
    expect(definitionOf(oneStep({ retry })).steps[0]?.maxAttempts).toBe(4);
    expect(definitionOf(oneStep({ retry, maxAttempts: 2 })).steps[0]?.maxAttempts).toBe(2);
    expect(definitionOf(oneStep({})).steps[0]?.maxAttempts).toBe(1);
  });

  test.each([0, -1, 1.5, '3', 122])('maxAttempts counts calls: not %j', (maxAttempts) => {
    expect(refusedAt(oneStep({ maxAttempts }))).toBe('steps[0].maxAttempts');
  });
});

describe('on', () => {
  test.each([
    [{ goal: true }, 'steps[1].on[0]'],
    [{ outcome: 'completed' }, 'steps[1].on[0]'],
    [{ outcome: 'completed', disposition: 'x', goal: true }, 'steps[1].on[0]'],
    [{ outcome: 'completed', goal: true, end: 'reached' }, 'steps[1].on[0]'],
    [{ outcome: 'completed', goal: false }, 'steps[1].on[0].goal'],
    [{ disposition: 'x', callback: 'yes' }, 'steps[1].on[0].callback'],
    [{ outcome: 'completed', then: 'x' }, 'steps[1].on[0].then'],
  ])('one condition and one effect an entry: %j', (entry, path) =>
    expect(refusedAt(withOn(entry))).toBe(path),
  );

  test.each(['no_answer', 'busy', 'unknown', 'failed', ''])(
    'outcome is completed or no_response: not %j',
    (outcome) => {
      expect(refusedAt(withOn({ outcome, end: 'reached' }))).toBe('steps[1].on[0].outcome');
    },
  );

  test.each(['goal', 'failed', 'caps'])('end is reached or no_response: not %j', (end) => {
    expect(refusedAt(withOn({ outcome: 'completed', end }))).toBe('steps[1].on[0].end');
  });

  test.each(['a', 'b', 'd', 'X'])('next leads only to later steps: not to %s', (next) => {
    expect(
      refusedAt(withOn({ outcome: 'no_response', end: 'reached' }, { outcome: 'completed', next })),
    ).toBe('steps[1].on[1].next');
  });

  test('next may lead to any later step', () => {
    const steps = [step('a', { on: [{ outcome: 'no_response', next: 'c' }] }), step('b'), step('c')];
    expect(definitionOf({ steps }).steps[0]?.on[0]?.then).toEqual({ kind: 'next', stepKey: 'c' });
  });

  test.each(['', ' ', 'x'.repeat(81), 5])('a disposition is a text: not %j', (disposition) => {
    expect(refusedAt(withOn({ disposition, goal: true }))).toBe('steps[1].on[0].disposition');
  });

  test('a result can request a callback, and an outcome cannot', () => {
    for (const outcome of ['completed', 'no_response']) {
      expect(refusedAt(withOn({ outcome, callback: true }))).toBe('steps[1].on[0].callback');
    }
  });
});

describe('hours and closedDates have the shapes of the agent’s', () => {
  test('and are not changed', () => {
    const hours = { monday: [{ start: '09:00', end: '17:00' }] };
    const definition = definitionOf({ hours, closedDates: ['2026-12-25', '2026-01-01'] });
    expect(definition).toMatchObject({ hours, closedDates: ['2026-01-01', '2026-12-25'] });
  });

  test.each([
    [{ hours: {} }, 'hours'],
    [{ hours: { funday: [] } }, 'hours'],
    [{ hours: { monday: [{ start: '9', end: '17:00' }] } }, 'hours.monday[0].start'],
    [{ closedDates: ['2026-02-30'] }, 'closedDates[0]'],
    [{ closedDates: 'never' }, 'closedDates'],
  ])('%j is refused, naming %s', (input, path) => expect(refusedAt(input)).toBe(path));
});

test.each([
  [{ maxAttempts: 0 }, 'caps.maxAttempts'],
  [{ perNumber: {} }, 'caps.perNumber'],
  [{ perNumber: [{ count: 0, per: 'P1D' }] }, 'caps.perNumber[0].count'],
  [{ perNumber: [{ count: 1 }] }, 'caps.perNumber[0].per'],
  [{ perNumber: [{ count: 1, per: 'P1D', of: 'x' }] }, 'caps.perNumber[0].of'],
])('caps %j are refused, naming %s', (caps, path) => expect(refusedAt({ caps })).toBe(path));
