import { warningsOf } from '../../../src/domain/campaigns/definition/warnings.js';
import { definitionOf, step } from './support/definitions.js';

const warned = (input: unknown, exempting = false) =>
  warningsOf(definitionOf(input), exempting).map(({ code, path }) => `${code} ${path}`);
const WORST = 'WORST_CASE_DIALS steps';

test('a definition without steps says so', () => {
  for (const input of [{}, { note: 'x' }, { steps: [] }]) expect(warned(input)).toEqual(['NO_STEPS steps']);
});

describe('unreachable steps are named', () => {
  const never = (...indexes: number[]) => [...indexes.map((n) => `STEP_UNREACHABLE steps[${n}]`), WORST];
  const after = 'P1D';
  const to = (outcome: string, next: string) => ({ outcome, next });

  test('after an end, and between a step and its next', () => {
    const ending = step('a', { on: [{ outcome: 'no_response', end: 'no_response' }] });
    expect(warned({ steps: [ending, step('b', { after }), step('c', { after })] })).toEqual(never(1, 2));
    const jumping = step('a', { on: [to('no_response', 'c')] });
    expect(warned({ steps: [jumping, step('b', { after }), step('c', { after })] })).toEqual(never(1));
  });

  test('but not after a disposition or a completed call that leads there', () => {
    for (const entry of [{ disposition: 'x', next: 'b' }, to('completed', 'b')]) {
      const on = [entry, { outcome: 'no_response', end: 'reached' }];
      expect(warned({ steps: [step('a', { on }), step('b', { after })] })).toEqual([WORST]);
    }
  });

  test('unless an earlier entry matches', () => {
    const on = [
      { outcome: 'completed', end: 'reached' },
      { disposition: 'x', next: 'b' },
      { outcome: 'no_response', end: 'reached' },
    ];
    expect(warned({ steps: [step('a', { on }), step('b', { after })] })).toEqual(never(1));
  });

  test('and after caps.maxAttempts is used up', () => {
    const steps = [step('a'), step('b', { after }), step('c', { after })];
    expect(warned({ steps, caps: { maxAttempts: 2 } })).toEqual(never(2));
  });
});

describe('delays shorter than the re-dial window are named', () => {
  const short = (path: string) => `DELAY_SHORTER_THAN_REDIAL_WINDOW ${path}`;
  const retry = { no_answer: ['PT2H', 'P1D'], busy: ['PT12H'], voicemail: ['PT11H59M'] };
  const steps = [step('a', { after: 'PT1H', retry }), step('b', { after: 'PT1H' })];

  test('of retries, and between steps', () => {
    expect(warned({ steps })).toEqual([
      short('steps[0].retry.no_answer[0]'),
      short('steps[0].retry.voicemail[0]'),
      short('steps[1].after'),
      WORST,
    ]);
  });

  test('but not those that the team’s setting exempts', () => {
    const rest = [short('steps[0].retry.voicemail[0]'), short('steps[1].after'), WORST];
    expect(warned({ steps }, true)).toEqual(rest);
  });
});

test('a maxAttempts above the number of delays is named', () => {
  const steps = [step('a', { maxAttempts: 3, retry: { busy: ['P1D'] } })];
  expect(warned({ steps })).toEqual(['MAX_ATTEMPTS_UNREACHABLE steps[0].maxAttempts', WORST]);
});

describe('the highest number of dials per number', () => {
  const told = (input: unknown) => warningsOf(definitionOf(input)).at(-1)?.message;
  const retry = { no_answer: ['P1D', 'P1D'], busy: ['P1D'] };
  const a = step('a', { retry, maxAttempts: 3 });
  const b = step('b', { after: 'P1D', retry });

  test('is that of the longest path', () => {
    expect(told({ steps: [a] })).toBe('One entry dials a number up to 3 times.');
    expect(told({ steps: [a, b] })).toBe('One entry dials a number up to 7 times.');
    const skipping = { ...a, on: [{ outcome: 'no_response', next: 'c' }] };
    expect(told({ steps: [skipping, b, step('c', { after: 'P1D' })] })).toBe(
      'One entry dials a number up to 4 times.',
    );
    expect(told({ steps: [step('a')] })).toBe('One entry dials a number up to 1 time.');
  });

  test('is limited by caps.maxAttempts, and unlimited with callbacks', () => {
    expect(told({ steps: [a, b], caps: { maxAttempts: 5 } })).toBe('One entry dials a number up to 5 times.');
    const calling = step('a', { on: [{ disposition: 'later', callback: true }] });
    expect(told({ steps: [calling] })).toBe(
      'One entry dials a number up to 1 time, and once for each requested callback.',
    );
    expect(told({ steps: [calling], caps: { maxAttempts: 4 } })).toBe(
      'One entry dials a number up to 4 times.',
    );
  });
});
