import { countryNotAllowed } from '../../src/domain/guardrails/country-not-allowed.js';
import { type GuardrailFacts } from '../../src/domain/guardrails/guardrail.js';
import {
  type GuardrailReason,
  GUARDRAIL_REASONS,
  evaluateGuardrails,
} from '../../src/domain/guardrails/guardrails.js';
import {
  after,
  aged,
  before,
  CONTRACT_REASONS,
  DAY,
  guardrailFacts,
  HOUR,
  merged,
  NOW,
  OLDER_CALL,
  REFUSING,
  retryAtOf,
  ruleOf,
} from './support/facts.js';

const resultOf = (reason: GuardrailReason, facts: Partial<GuardrailFacts>, now: Date = NOW) =>
  ruleOf(evaluateGuardrails(guardrailFacts(facts), now), reason);
const allows = (reason: GuardrailReason, facts: Partial<GuardrailFacts>) => resultOf(reason, facts).allow;

describe('all guardrails', () => {
  test('begin with those of the contract: the country and the time zone, then rules 5 to 9 in its order', () => {
    expect(GUARDRAIL_REASONS.slice(0, 10)).toEqual([
      'COUNTRY_NOT_ALLOWED',
      'ZONE_UNKNOWN',
      'NOT_WHITELISTED',
      'PLAN_LIMIT',
      'NUMBER_LIMIT_DAILY',
      'NUMBER_LIMIT_WEEKLY',
      'NUMBER_LIMIT_MONTHLY',
      'DO_NOT_CALL',
      'RECENTLY_CALLED',
      'ALREADY_SCHEDULED',
    ]);
  });

  test('pass for a team without limits and a number without calls', () => {
    const decision = evaluateGuardrails(guardrailFacts(), NOW);
    expect(decision).toMatchObject({ at: '2026-11-20T15:00:00.000Z', allow: true, reason: null });
    expect(decision.rules.every((rule) => rule.allow)).toBe(true);
  });

  test('return the first refusal for any set of refusals, and each result is independent', () => {
    for (let subset = 0; subset < 2 ** CONTRACT_REASONS.length; subset++) {
      const refusing = CONTRACT_REASONS.filter((_, index) => (subset >> index) & 1);
      const facts = guardrailFacts(merged(refusing.map((reason) => REFUSING[reason])));
      const decision = evaluateGuardrails(facts, NOW);
      const refusals = decision.rules.filter((rule) => !rule.allow).map((rule) => rule.reason);
      expect({ refusals, allow: decision.allow, reason: decision.reason }).toEqual({
        refusals: refusing,
        allow: refusing.length === 0,
        reason: refusing[0] ?? null,
      });
    }
  });

  test('only the re-dial window is evaluated by the exempted facts', () => {
    const facts = guardrailFacts({ processedAt: aged(HOUR), numberDailyLimit: 2 });
    const decision = evaluateGuardrails(facts, NOW, { ...facts, processedAt: [] });
    expect(ruleOf(decision, 'RECENTLY_CALLED').evidence).toMatchObject({ lastProcessedAt: null });
    expect(ruleOf(decision, 'NUMBER_LIMIT_DAILY').evidence).toMatchObject({ processed: 1 });
  });
});

describe("the team's countries", () => {
  test.each([
    ['any country where the team has no list', 'US', null, true],
    ['a country on the list', 'US', ['CA', 'US'], true],
    ['no country beside the list', 'US', ['CA', 'DE'], false],
    ['no country at all where the list is empty', 'US', [], false],
    ['a number of no country where the team has no list', null, null, true],
    ['a number of no country is never on a list', null, ['US'], false],
  ])('%s', (_, country, allowedCountries, allow) => {
    expect(allows('COUNTRY_NOT_ALLOWED', { country, allowedCountries })).toBe(allow);
    expect(countryNotAllowed.check(guardrailFacts({ country, allowedCountries }), NOW)).toEqual({
      allow,
      evidence: { country, allowedCountries },
    });
  });
});

describe('whitelist-only outbound (contract 4.1, rule 5)', () => {
  test.each([
    ['not enabled, not on the whitelist', false, false, true],
    ['not enabled, on the whitelist', false, true, true],
    ['enabled, on the whitelist', true, true, true],
    ['enabled, not on the whitelist', true, false, false],
  ])('%s', (_, whitelistOnly, whitelisted, allow) => {
    expect(resultOf('NOT_WHITELISTED', { whitelistOnly, whitelisted })).toEqual({
      reason: 'NOT_WHITELISTED',
      allow,
      evidence: { whitelistOnly, whitelisted },
    });
  });
});

describe('the plan limit (contract 4.1, rule 6)', () => {
  const plan = (monthlyCallLimit: number | null, planUsed: number, countedThisMonth = false) =>
    resultOf('PLAN_LIMIT', { monthlyCallLimit, planUsed, countedThisMonth });

  test.each([1, 2, 60])('a limit of %i refuses the next call', (limit) => {
    expect(plan(limit, limit - 1).allow).toBe(true);
    expect(plan(limit, limit).allow).toBe(false);
    expect(plan(limit, limit + 1).allow).toBe(false);
  });

  test('null is no limit', () => {
    expect(plan(null, 1_000_000).allow).toBe(true);
  });

  test('0 refuses every call, in any month', () => {
    const refusal = plan(0, 0);
    expect(refusal.allow).toBe(false);
    expect(retryAtOf(refusal)).toBeUndefined();
  });

  test('a call that was counted this month passes at the firing, even after the limit was lowered', () => {
    expect(plan(5, 5, true).allow).toBe(true);
    expect(plan(3, 5, true).allow).toBe(true);
    expect(plan(0, 1, true).allow).toBe(true);
  });

  test('in a new month a call is evaluated again, although it was counted in the earlier one', () => {
    expect(plan(5, 0, false).allow).toBe(true);
    expect(plan(5, 5, false).allow).toBe(false);
  });

  test.each([
    ['within a year', '2026-11-20T15:00:00.000Z', '2026-12-01T00:00:00.000Z'],
    ['over the year', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
    ['from the first instant of a month', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['from the 31st into a shorter month', '2027-01-31T12:00:00.000Z', '2027-02-01T00:00:00.000Z'],
  ])('retryAt is the beginning of the next month in UTC, %s', (_, now, next) => {
    const refusal = resultOf('PLAN_LIMIT', { monthlyCallLimit: 1, planUsed: 1 }, new Date(now));
    expect(retryAtOf(refusal)).toBe(next);
  });

  test('its evidence shows the usage if there is a limit', () => {
    expect(plan(5, 3).evidence).toEqual({ limit: 5, used: 3, countedThisMonth: false });
    expect(plan(null, 3).evidence).toEqual({ limit: null, used: null, countedThisMonth: false });
  });
});

describe.each([
  ['NUMBER_LIMIT_DAILY', 'numberDailyLimit', 24, DAY],
  ['NUMBER_LIMIT_WEEKLY', 'numberWeeklyLimit', 168, 7 * DAY],
  ['NUMBER_LIMIT_MONTHLY', 'numberMonthlyLimit', 720, 30 * DAY],
] as const)('%s (contract 4.1, rule 6)', (reason, field, windowHours, window) => {
  const limited = (limit: number | null, processedAt: number[]) =>
    resultOf(reason, { [field]: limit, processedAt });

  test.each([1, 2, 5])('a limit of %i refuses the next call', (limit) => {
    const calls = (n: number) => aged(...Array.from({ length: n }, (_, index) => index * HOUR));
    expect(limited(limit, calls(limit - 1)).allow).toBe(true);
    expect(limited(limit, calls(limit)).allow).toBe(false);
    expect(limited(limit, calls(limit + 1)).allow).toBe(false);
  });

  test('null is no limit', () => {
    expect(limited(null, aged(...Array.from({ length: 500 }, (_, index) => index))).allow).toBe(true);
  });

  test('0 refuses every call, at any instant', () => {
    const refusal = limited(0, []);
    expect(refusal.allow).toBe(false);
    expect(retryAtOf(refusal)).toBeUndefined();
    expect(retryAtOf(limited(0, aged(HOUR)))).toBeUndefined();
  });

  test('the window is rolling: a call of exactly its length ago does not count, a millisecond less does', () => {
    expect(limited(1, aged(window)).allow).toBe(true);
    expect(limited(1, aged(window - 1)).allow).toBe(false);
    expect(limited(1, aged(window + 1)).allow).toBe(true);
  });

  test('retryAt is when enough calls have left the window, in any order of the calls', () => {
    const calls = aged(HOUR, 5 * HOUR, 3 * HOUR);
    expect(retryAtOf(limited(3, calls))).toBe(before(5 * HOUR - window).toISOString());
    expect(retryAtOf(limited(2, calls))).toBe(before(3 * HOUR - window).toISOString());
    expect(retryAtOf(limited(1, calls))).toBe(before(HOUR - window).toISOString());
  });

  test('its evidence shows the calls in the window and its length', () => {
    expect(limited(7, aged(HOUR, window - 1, window)).evidence).toEqual({
      limit: 7,
      processed: 2,
      windowHours,
    });
    expect(limited(null, aged(HOUR)).evidence).toEqual({ limit: null, processed: 1, windowHours });
  });
});

test.each([
  ['is not dialed', true, false],
  ['a number that is not on it may be', false, true],
])('Do Not Call (contract 4.1, rule 7): a number on the list %s', (_, onDoNotCall, allow) => {
  expect(resultOf('DO_NOT_CALL', { onDoNotCall })).toEqual({
    reason: 'DO_NOT_CALL',
    allow,
    evidence: { onDoNotCall },
  });
});

describe('a call already processed in the last 12 hours (contract 4.1, rule 8)', () => {
  test('exactly 12 hours ago is outside the window, a millisecond less is inside', () => {
    expect(allows('RECENTLY_CALLED', { processedAt: aged(12 * HOUR) })).toBe(true);
    expect(allows('RECENTLY_CALLED', { processedAt: aged(12 * HOUR - 1) })).toBe(false);
    expect(allows('RECENTLY_CALLED', { processedAt: aged(0) })).toBe(false);
  });

  test('the latest call decides, in any order of the calls', () => {
    const calls = aged(40 * HOUR, 2 * HOUR, 20 * HOUR);
    expect(resultOf('RECENTLY_CALLED', { processedAt: calls })).toEqual({
      reason: 'RECENTLY_CALLED',
      allow: false,
      evidence: { lastProcessedAt: '2026-11-20T13:00:00.000Z', windowHours: 12 },
      retryAt: '2026-11-21T01:00:00.000Z',
    });
  });

  test('a number without calls has no last call', () => {
    expect(resultOf('RECENTLY_CALLED', {}).evidence).toEqual({ lastProcessedAt: null, windowHours: 12 });
  });

  test('a call from a clock that was ahead counts', () => {
    expect(allows('RECENTLY_CALLED', { processedAt: [after(HOUR).getTime()] })).toBe(false);
  });
});

describe('a call already scheduled (contract 4.1, rule 9)', () => {
  test('an older pending call to the number refuses, and the decision names it', () => {
    expect(resultOf('ALREADY_SCHEDULED', { olderPendingCallId: OLDER_CALL })).toEqual({
      reason: 'ALREADY_SCHEDULED',
      allow: false,
      evidence: { olderPendingCallId: OLDER_CALL },
    });
  });

  test('the oldest pending call passes', () => {
    expect(allows('ALREADY_SCHEDULED', { olderPendingCallId: null })).toBe(true);
  });
});
