import { parseSimulatorRules } from '../../src/carriers/simulator/parse-rules.js';
import { ruleFor, SIMULATOR_OUTCOMES, type SimulatorRule } from '../../src/carriers/simulator/rules.js';

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
    expect(parseSimulatorRules(JSON.stringify([...rules, full]))).toEqual({
      ok: true,
      rules: [...rules, full],
    });
  });

  it.each(['', '  ', '[]'])('takes %j for no rules', (text) => {
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

  it('takes the first that matches, exactly or by prefix', () => {
    expect(ruleFor(rules, '+14155550100')?.outcome).toBe('busy');
    expect(ruleFor(rules, '+141555501001')?.outcome).toBe('no_answer');
    expect(ruleFor(rules, '+442079460000')).toBeUndefined();
    expect(ruleFor([{ match: '*', outcome: 'hang' }], '+442079460000')?.outcome).toBe('hang');
  });
});
