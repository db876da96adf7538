import { configuredRules, parseSimulatorRules } from '../../src/carriers/simulator/parse-rules.js';
import {
  outcomeOf,
  ruleFor,
  SIMULATOR_OUTCOMES,
  type SimulatorRule,
} from '../../src/carriers/simulator/rules.js';
import { TEST_DESTINATIONS } from '../../src/carriers/simulator/test-destinations.js';
import { drawOutcome } from '../../src/domain/drawn-outcome.js';
import { parsePhoneNumber } from '../../src/domain/phone-number.js';

describe('parseSimulatorRules', () => {
  it('reads every outcome and every field', () => {
    const rules = Object.keys(SIMULATOR_OUTCOMES).map((outcome) => ({ match: '+1415*', outcome }));
    const full = {
      match: '*',
      outcome: 'busy',
      acceptMs: 0,
      ringMs: 1,
      talkMs: 2,
      retryAfterMs: 3,
      reports: 'none',
      listed: false,
    };
    const drawn = { match: '*', assume: { completed: 0.5, busy: 0.5 }, seed: 7 };
    const sequence = {
      match: '+1415*',
      outcomes: ['no_answer', 'throttled', 'completed'],
      result: { disposition: 'call_later', callbackAt: '2027-03-28T09:00:00+01:00', optOut: false },
    };
    expect(parseSimulatorRules(JSON.stringify([...rules, full, drawn, sequence]))).toEqual({
      ok: true,
      rules: [...rules, full, drawn, sequence],
    });
  });

  it.each(['', '  ', '[]'])('reads %j as no rules', (text) => {
    expect(parseSimulatorRules(text)).toEqual({ ok: true, rules: [] });
  });

  it.each([
    ['{', /^rules: not JSON: /],
    ['{}', /^rules: must be a JSON array/],
    ['[1]', /^rules\[0\]: must be an object/],
    ['[{"match":"*","outcome":"busy"},{"match":"*"}]', /^rules\[1\]\.outcome: is missing/],
    ['[{"outcome":"busy"}]', /^rules\[0\]\.match: is missing/],
    ['[{"match":"4155550100","outcome":"busy"}]', /^rules\[0\]\.match: must be an E\.164 number/],
    ['[{"match":"+1*5","outcome":"busy"}]', /^rules\[0\]\.match: /],
    ['[{"match":"*","outcome":"explode"}]', /^rules\[0\]\.outcome: must be one of completed, busy/],
    ['[{"match":"*","outcome":"toString"}]', /^rules\[0\]\.outcome: /],
    ['[{"match":"*","outcome":"busy","ringMs":"5"}]', /^rules\[0\]\.ringMs: must be a whole number/],
    ['[{"match":"*","outcome":"busy","talkMs":-1}]', /^rules\[0\]\.talkMs: /],
    ['[{"match":"*","outcome":"busy","acceptMs":3600001}]', /^rules\[0\]\.acceptMs: /],
    ['[{"match":"*","outcome":"busy","reports":"often"}]', /^rules\[0\]\.reports: must be one of once, none/],
    ['[{"match":"*","outcome":"busy","listed":1}]', /^rules\[0\]\.listed: must be true or false/],
    ['[{"match":"*","outcomes":[]}]', /^rules\[0\]\.outcomes: must be a list of 1 to 100 of completed/],
    ['[{"match":"*","outcomes":["busy","explode"]}]', /^rules\[0\]\.outcomes: must be a list/],
    [
      '[{"match":"*","outcome":"busy","outcomes":["busy"]}]',
      /^rules\[0\]\.outcomes: cannot stand beside outcome/,
    ],
    ['[{"match":"*","outcome":"busy","assume":{}}]', /^rules\[0\]\.assume: cannot stand beside outcome/],
    ['[{"match":"*","outcome":"busy","seed":1}]', /^rules\[0\]\.seed: stands beside assume/],
    ['[{"match":"*","assume":{"completed":2}}]', /^rules\[0\]\.assume: must be an object of completed/],
    ['[{"match":"*","assume":{"seconds":2}}]', /^rules\[0\]\.assume: /],
    ['[{"match":"*","assume":{},"seed":-1}]', /^rules\[0\]\.seed: must be a whole number/],
    ['[{"match":"*","outcome":"busy","result":[]}]', /^rules\[0\]\.result: must be an object of disposition/],
    ['[{"match":"*","outcome":"busy","result":{"disposition":""}}]', /^rules\[0\]\.result: /],
    [
      '[{"match":"*","outcome":"busy","result":{"callbackAt":"2027-03-28T09:00"}}]',
      /^rules\[0\]\.result: .*with an offset/,
    ],
    ['[{"match":"*","outcome":"busy","result":{"optOut":1}}]', /^rules\[0\]\.result: /],
    ['[{"match":"*","outcome":"busy","result":{"mood":"good"}}]', /^rules\[0\]\.result: /],
    ['[{"match":"*","outcome":"busy","ringms":5}]', /^rules\[0\]\.ringms: is not known/],
  ])('refuses %s', (text, message) => {
    expect(parseSimulatorRules(text)).toEqual({
      ok: false,
      message: expect.stringMatching(message) as string,
    });
  });
});

describe('ruleFor', () => {
  const rules: SimulatorRule[] = [
    { match: '+14155550100', outcome: 'busy' },
    { match: '+1415*', outcome: 'no_answer' },
    { match: '+1415555*', outcome: 'refuse' },
  ];

  it('returns the first match, exact or by prefix', () => {
    expect(ruleFor(rules, '+14155550100')?.outcome).toBe('busy');
    expect(ruleFor(rules, '+141555501001')?.outcome).toBe('no_answer');
    expect(ruleFor(rules, '+442079460000')).toBeUndefined();
    expect(ruleFor([{ match: '*', outcome: 'hang' }], '+442079460000')?.outcome).toBe('hang');
  });
});

describe('outcomeOf', () => {
  it('returns the n-th of outcomes for the n-th dial, and repeats the last', () => {
    const rule: SimulatorRule = { match: '*', outcomes: ['busy', 'no_answer', 'completed'] };
    const given = [1, 2, 3, 4, 400].map((dial) => outcomeOf(rule, dial, '+14155550100'));
    expect(given).toEqual(['busy', 'no_answer', 'completed', 'completed', 'completed']);
  });

  it('draws the n-th dial to a number by the seed, as a forecast does', () => {
    const rule: SimulatorRule = { match: '*', assume: { completed: 0.5, busy: 0.4 }, seed: 7 };
    for (const to of ['+14155550100', '+14155550101', '+14155550102'])
      for (const dial of [1, 2, 3])
        expect(outcomeOf(rule, dial, to)).toBe(drawOutcome({ completed: 0.5, busy: 0.4 }, 7, to, dial));
    expect(outcomeOf({ match: '*', assume: {} }, 1, '+14155550100')).toBe('failed');
  });

  it('returns the outcome for every dial, and completed without a rule', () => {
    expect([1, 2].map((dial) => outcomeOf({ match: '*', outcome: 'busy' }, dial, '+14155550100'))).toEqual([
      'busy',
      'busy',
    ]);
    expect(outcomeOf(undefined, 1, '+14155550100')).toBe('completed');
  });
});

describe('configuredRules', () => {
  it.each([undefined, '', ' '])('are the test destinations where SIMULATOR_RULES is %j', (text) => {
    expect(configuredRules(text)).toEqual({ ok: true, rules: TEST_DESTINATIONS });
  });

  it('are only those of SIMULATOR_RULES if it is set', () => {
    expect(configuredRules('[]')).toEqual({ ok: true, rules: [] });
  });

  it('has test destinations that are valid rules and numbers that can be dialed', () => {
    expect(parseSimulatorRules(JSON.stringify(TEST_DESTINATIONS))).toMatchObject({ ok: true });
    for (const { match } of TEST_DESTINATIONS) {
      expect(parsePhoneNumber(match, null)).toEqual({ ok: true, e164: match, country: 'US' });
    }
  });
});
