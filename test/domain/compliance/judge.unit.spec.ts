import { type ComplianceCase, complianceCaseOf } from '../../../src/domain/compliance/compliance-case.js';
import { type ComplianceFacts, type ConsentFact } from '../../../src/domain/compliance/facts.js';
import { firstRefusal, judge, refusalFor, type RuleVerdict } from '../../../src/domain/compliance/judge.js';
import { type PackRule, type RULE_KINDS } from '../../../src/domain/compliance/pack.js';
import { factsOfStored, firstLawfulAt, recordOf } from '../../../src/domain/compliance/record.js';
import { COMPLIANCE_REASONS } from '../../../src/domain/compliance/rules/rule-outcome.js';
import {
  caseOf,
  complianceFacts,
  daily,
  ENFORCED,
  indexOf,
  pack,
  refusingCases,
  rule,
} from '../support/compliance.js';

/** A Friday; 10:00 in New York. */
const NOW = new Date('2026-11-20T15:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ago = (ms: number) => NOW.getTime() - ms;

const one = ({ verdicts }: { verdicts: readonly RuleVerdict[] }): RuleVerdict => {
  const [first, ...others] = verdicts;
  if (first === undefined || others.length > 0) throw new Error(`${verdicts.length} verdicts`);
  return first;
};
const verdictOf = (each: PackRule, facts: Partial<ComplianceFacts> = {}, now = NOW) =>
  one(judge(caseOf([each], facts), now));

const EXPRESS: ConsentFact = {
  id: 'c1',
  level: 'express',
  purpose: null,
  voice: null,
  grantedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: null,
};

describe('the rules of a call', () => {
  const marketing = { appliesTo: { purpose: ['marketing'], voice: ['ai'] } } as const;
  const us = rule({ kind: 'consentRequired', level: 'express' }, { id: 'us', ...marketing });
  const florida = rule({ kind: 'prohibition', what: 'x' }, { id: 'us-fl' });
  const eu = rule({ kind: 'prohibition', what: 'x' }, { id: 'eu' });
  const index = indexOf(
    pack([us]),
    pack([florida], { jurisdiction: 'US-FL', pack: 'us-fl', extends: ['us'] }),
    pack([eu], { jurisdiction: 'EU', pack: 'eu' }),
  );
  const ids = (facts: Partial<ComplianceFacts>) =>
    index.applicableTo(complianceFacts(facts)).rules.map(({ rule: each }) => each.id);
  const place = complianceFacts().place;

  test('are those of the country, of each state in which the number may be, and of the region of the contact', () => {
    expect(ids({})).toEqual(['us']);
    expect(ids({ place: { ...place, regions: ['US-AL', 'US-FL'] } })).toEqual(['us', 'us-fl']);
    expect(ids({ region: 'US-FL' })).toEqual(['us', 'us-fl']);
    expect(ids({ place: { ...place, country: 'FR', regions: [] } })).toEqual(['eu']);
    expect(ids({ place: { ...place, country: 'FR', regions: [] }, region: 'US-FL' })).toEqual([
      'eu',
      'us',
      'us-fl',
    ]);
    expect(ids({ place: { ...place, country: null, regions: [] } })).toEqual([]);
  });

  test('are of the packs that the team names, with those that these extend', () => {
    expect(ids({ region: 'US-FL', setting: { ...ENFORCED, packs: ['us'] } })).toEqual(['us']);
    expect(ids({ region: 'US-FL', setting: { ...ENFORCED, packs: ['us-fl'] } })).toEqual(['us', 'us-fl']);
    expect(ids({ setting: { ...ENFORCED, packs: ['eu'] } })).toEqual([]);
  });

  test('are for the purpose and the voice; an unset one counts as every one, and that of the call beats the team’s', () => {
    const set = (setting: Partial<typeof ENFORCED>, purpose: ComplianceFacts['purpose'] = null) =>
      ids({ setting: { ...ENFORCED, ...setting }, purpose });
    expect(set({ purpose: 'marketing', voice: 'ai' })).toEqual(['us']);
    expect(set({ purpose: 'debt' })).toEqual([]);
    expect(set({ voice: 'live' })).toEqual([]);
    expect(set({ purpose: 'debt' }, 'marketing')).toEqual(['us']);
    expect(set({ purpose: 'marketing' }, 'survey')).toEqual([]);
  });

  test('are judged from the first to the last date that it may be at the place', () => {
    const dated = rule(
      { kind: 'prohibition', what: 'x' },
      { effectiveFrom: '2026-11-21', effectiveTo: '2026-11-22' },
    );
    const at = (instant: string, zones: string[]) =>
      judge(caseOf([dated], { place: { ...place, zones } }), new Date(instant)).verdicts.length;
    const newYork = ['America/New_York'];
    expect(at('2026-11-21T04:59:59.999Z', newYork)).toBe(0);
    expect(at('2026-11-21T05:00:00.000Z', newYork)).toBe(1);
    expect(at('2026-11-23T04:59:59.999Z', newYork)).toBe(1);
    expect(at('2026-11-23T05:00:00.000Z', newYork)).toBe(0);
    // The person may be where the day has begun.
    expect(at('2026-11-20T15:00:00.000Z', ['America/New_York', 'Asia/Tokyo'])).toBe(1);
  });
});

describe('the mode', () => {
  const prohibition = rule({ kind: 'prohibition', what: 'x' });
  const mode = (setting: Partial<typeof ENFORCED>, head: Partial<PackRule> = {}) => {
    const rules = [{ ...prohibition, ...head } as PackRule];
    const found = complianceCaseOf(
      complianceFacts({ setting: { ...ENFORCED, ...setting } }),
      indexOf(pack(rules)),
    );
    return found === null ? null : judge(found, NOW).verdicts.map(({ verdict }) => verdict);
  };

  test('of the team holds for kinds without their own', () => {
    expect(mode({ mode: 'off' })).toBeNull();
    expect(mode({ mode: 'off', kinds: { prohibition: 'enforce' } })).toBeNull();
    expect(mode({ mode: 'warn' })).toEqual(['warn']);
    expect(mode({ mode: 'enforce' })).toEqual(['refuse']);
    expect(mode({ kinds: { prohibition: 'warn' } })).toEqual(['warn']);
    expect(mode({ kinds: { prohibition: 'off' } })).toEqual([]);
    expect(mode({ mode: 'warn', kinds: { prohibition: 'enforce' } })).toEqual(['refuse']);
  });

  test('of a rule whose source is not sure is never enforced', () => {
    expect(mode({}, { confidence: 'medium' })).toEqual(['warn']);
    expect(mode({ kinds: { prohibition: 'enforce' } }, { confidence: 'low' })).toEqual(['warn']);
  });
});

describe('hours and closed dates', () => {
  const hours = rule({ kind: 'callingHours', clock: 'calledParty', hours: daily('08:00', '21:00') });

  test('must allow the call in every zone in which the person may be', () => {
    expect(verdictOf(hours).verdict).toBe('allow');
    const zones = ['America/New_York', 'Pacific/Honolulu'];
    const place = { ...complianceFacts().place, zones };
    expect(verdictOf(hours, { place })).toMatchObject({
      verdict: 'refuse',
      reason: null,
      evidence: { localTimes: ['Fri 2026-11-20 10:00', 'Fri 2026-11-20 05:00'] },
    });
  });

  test('by a fixed clock are judged in its zone', () => {
    expect(verdictOf({ ...hours, clock: 'Asia/Tokyo' } as PackRule).verdict).toBe('refuse');
  });

  test('are enforced as lawful hours only where the rule is', () => {
    const closed = rule({ kind: 'closedDates', days: [{ name: 'Day', dates: ['2026-11-20'] }] });
    expect(verdictOf(closed).verdict).toBe('refuse');
    expect(caseOf([hours, closed]).lawfulHours).toHaveLength(2);
    const warning = { ...ENFORCED, kinds: { closedDates: 'warn' } } as const;
    expect(caseOf([hours, closed], { setting: warning }).lawfulHours).toHaveLength(1);
    expect(caseOf([hours, closed], { setting: { ...ENFORCED, mode: 'warn' } }).lawfulHours).toEqual([]);
  });

  test('are not lifted by a consent', () => {
    const closed = rule(
      { kind: 'closedDates', days: [{ name: 'Day', dates: ['2026-11-20'] }] },
      { unless: 'express' },
    );
    expect(verdictOf(closed, { consents: [EXPRESS] }).verdict).toBe('refuse');
  });
});

describe('a cap', () => {
  const cap = (
    max: number,
    length: number,
    type: 'rolling' | 'calendarDays' | 'localDay',
    unit: 'hours' | 'days' = 'days',
  ) => rule({ kind: 'frequencyCap', max, window: { length, unit, type } });
  const retryAt = (verdict: RuleVerdict) =>
    verdict.retryAt === undefined ? null : new Date(verdict.retryAt).toISOString();

  test('that rolls counts back from the call, and a call as old as the window is outside', () => {
    const of = (...ages: number[]) =>
      verdictOf(cap(3, 24, 'rolling', 'hours'), { processedAt: ages.map(ago) });
    expect(of(HOUR, 2 * HOUR).verdict).toBe('allow');
    expect(of(HOUR, 2 * HOUR, DAY).verdict).toBe('allow');
    const refused = of(DAY - 1, HOUR, 2 * HOUR);
    expect(refused).toMatchObject({
      verdict: 'refuse',
      reason: 'JURISDICTION_CAP',
      evidence: { max: 3, calls: 3 },
    });
    expect(retryAt(refused)).toBe('2026-11-20T15:00:00.001Z');
    expect(retryAt(of(HOUR, 2 * HOUR, 3 * HOUR, 4 * HOUR))).toBe('2026-11-21T12:00:00.000Z');
  });

  test('of calendar days counts the day of the call and those before it, by the clock of the person', () => {
    const of = (...instants: string[]) =>
      verdictOf(cap(1, 7, 'calendarDays'), { processedAt: instants.map((at) => Date.parse(at)) });
    // The seventh day before begins on the 14th at midnight in New York, which is 05:00 in UTC.
    expect(of('2026-11-14T04:59:59.999Z').verdict).toBe('allow');
    const refused = of('2026-11-14T05:00:00.000Z');
    expect(refused.verdict).toBe('refuse');
    expect(retryAt(refused)).toBe('2026-11-21T05:00:00.000Z');
  });

  test('of the local day ends at midnight, in the last zone in which the person may be', () => {
    const place = { ...complianceFacts().place, zones: ['America/New_York', 'America/Los_Angeles'] };
    const refused = verdictOf(cap(1, 1, 'localDay'), { place, processedAt: [ago(2 * HOUR)] });
    expect(retryAt(refused)).toBe('2026-11-21T08:00:00.000Z');
  });

  test('counts each cap by itself, and the longest decides', () => {
    const both = caseOf([cap(1, 7, 'rolling'), cap(1, 30, 'rolling')], { processedAt: [ago(DAY)] });
    const refusal = refusalFor(judge(both, NOW), 'JURISDICTION_CAP');
    expect(refusal?.retryAt).toBe(ago(DAY) + 30 * DAY);
  });
});

test('a cool-off has the day of the conversation as its first', () => {
  const of = (at: string) =>
    verdictOf(rule({ kind: 'coolOff', days: 7 }), { lastConversationAt: Date.parse(at) });
  expect(of('2026-11-14T04:59:00.000Z').verdict).toBe('allow');
  const refused = of('2026-11-14T05:00:00.000Z');
  expect(refused).toMatchObject({ verdict: 'refuse', reason: 'COOL_OFF' });
  expect(new Date(refused.retryAt ?? 0).toISOString()).toBe('2026-11-21T05:00:00.000Z');
  expect(verdictOf(rule({ kind: 'coolOff', days: 7 })).verdict).toBe('allow');
});

describe('a consent', () => {
  const required = (level: 'express' | 'expressWritten') => rule({ kind: 'consentRequired', level });
  const written: ConsentFact = { ...EXPRESS, id: 'c2', level: 'expressWritten' };

  test('must be of the level, in force, and for the call', () => {
    const of = (level: 'express' | 'expressWritten', ...consents: ConsentFact[]) =>
      verdictOf(required(level), { consents, setting: { ...ENFORCED, purpose: 'marketing', voice: 'ai' } })
        .verdict;
    expect(of('express')).toBe('refuse');
    expect(of('express', EXPRESS)).toBe('allow');
    expect(of('expressWritten', EXPRESS)).toBe('refuse');
    expect(of('expressWritten', written)).toBe('allow');
    expect(of('express', { ...EXPRESS, expiresAt: NOW.toISOString() })).toBe('refuse');
    expect(of('express', { ...EXPRESS, grantedAt: '2026-11-20T15:00:00.001Z' })).toBe('refuse');
    expect(of('express', { ...EXPRESS, purpose: 'marketing', voice: 'ai' })).toBe('allow');
    expect(of('express', { ...EXPRESS, purpose: 'debt' })).toBe('refuse');
    expect(of('express', { ...EXPRESS, voice: 'live' })).toBe('refuse');
  });

  test('for one purpose is enough for a call without a purpose only under a rule for that purpose', () => {
    const consents = [{ ...EXPRESS, purpose: 'marketing' as const }];
    const narrow = {
      ...required('express'),
      appliesTo: { purpose: ['marketing'], voice: ['ai'] },
    } as PackRule;
    expect(verdictOf(required('express'), { consents }).verdict).toBe('refuse');
    expect(verdictOf(narrow, { consents }).verdict).toBe('allow');
  });

  test('on which a call relies is named; one of the ledger rather than that of a property', () => {
    const stated: ConsentFact = { ...EXPRESS, id: null, grantedAt: null };
    expect(judge(caseOf([required('express')], { consents: [stated, EXPRESS] }), NOW).consents).toEqual([
      'c1',
    ]);
    expect(judge(caseOf([required('express')], { consents: [stated] }), NOW)).toMatchObject({ consents: [] });
  });

  test('lifts a rule that says so', () => {
    const scrub = rule(
      { kind: 'registerScrub', register: 'us-ftc-dnc', maxAgeDays: 31 },
      { unless: 'expressWritten' },
    );
    expect(verdictOf(scrub, { consents: [EXPRESS] }).verdict).toBe('refuse');
    expect(verdictOf(scrub, { consents: [written] })).toMatchObject({
      verdict: 'lifted',
      reason: null,
      consent: 'c2',
    });
  });
});

test('a register refuses a hit in any version, and a version that is too old or missing', () => {
  const scrub = rule({ kind: 'registerScrub', register: 'us-ftc-dnc', maxAgeDays: 31 });
  const of = (each: PackRule, asOf: string | null, listed = false) =>
    verdictOf(each, { registers: asOf === null ? [] : [{ register: 'us-ftc-dnc', asOf, listed }] });
  expect(of(scrub, '2026-10-20T15:00:00.000Z').verdict).toBe('allow');
  expect(of(scrub, '2026-10-20T14:59:59.999Z')).toMatchObject({
    verdict: 'refuse',
    reason: 'REGISTER_STALE',
  });
  expect(of(scrub, '2026-10-01T00:00:00.000Z', true)).toMatchObject({
    verdict: 'refuse',
    reason: 'ON_REGISTER',
  });
  expect(of(scrub, null)).toMatchObject({ reason: 'REGISTER_STALE' });
  expect(of({ ...scrub, maxAgeDays: null } as PackRule, '2020-01-01T00:00:00.000Z').verdict).toBe('allow');
});

test('disclosures unite, and refuse nothing', () => {
  const say = (disclosure: 'identity' | 'optOut') =>
    rule({ kind: 'disclosure', disclosure, texts: { en: 'Say it.' } });
  const judgement = judge(caseOf([say('identity'), say('optOut')]), NOW);
  expect(judgement.disclosures.map(({ disclosure }) => disclosure)).toEqual(['identity', 'optOut']);
  expect(firstRefusal(judgement)).toBeNull();
});

describe('the first refusal', () => {
  const cases = refusingCases(NOW.getTime());

  test.each(COMPLIANCE_REASONS)('is %s for its case alone', (reason) => {
    const judgement = judge(cases[reason], NOW);
    expect(firstRefusal(judgement)).toBe(reason);
    const refusing = COMPLIANCE_REASONS.filter((each) => refusalFor(judgement, each) !== undefined);
    expect(refusing).toEqual(reason === 'UNKNOWN_LOCATION' ? [] : [reason]);
  });

  test('has the order of the reasons', () => {
    const all = COMPLIANCE_REASONS.filter(
      (reason) => !['UNKNOWN_LOCATION', 'REGISTER_STALE'].includes(reason),
    );
    for (const [index, reason] of all.entries()) {
      const parts = all.slice(index).map((each) => cases[each]);
      expect(firstRefusal(judge(united(parts), NOW))).toBe(reason);
    }
  });

  /** A case with the rules and the facts of all. */
  function united(parts: ComplianceCase[]): ComplianceCase {
    const facts = parts.map((part) => part.facts);
    return caseOf(
      parts.flatMap(({ rules }) => rules.map((each) => each.rule)),
      {
        processedAt: facts.flatMap(({ processedAt }) => processedAt),
        lastConversationAt:
          facts.find(({ lastConversationAt }) => lastConversationAt !== null)?.lastConversationAt ?? null,
        registers: facts.flatMap(({ registers }) => registers),
      },
    );
  }
});

describe('the record', () => {
  const hours = rule(
    { kind: 'callingHours', clock: 'calledParty', hours: daily('08:00', '21:00') },
    { id: 'hours' },
  );
  const cap = rule(
    { kind: 'frequencyCap', max: 1, window: { length: 13, unit: 'hours', type: 'rolling' } },
    { id: 'cap' },
  );

  test('has the first instant at which every enforced rule allows the call', () => {
    const one = caseOf([hours, cap], { processedAt: [ago(0)] });
    // 13 hours later it is 23:00 in New York.
    expect(firstLawfulAt(one, NOW)?.toISOString()).toBe('2026-11-21T13:00:00.000Z');
    expect(recordOf(one, NOW)).toMatchObject({
      mode: 'enforce',
      jurisdictions: ['US', 'US-NY'],
      packs: { us: '0123456789ab' },
      rule: 'cap',
      firstLawfulAt: '2026-11-21T13:00:00.000Z',
      verdicts: { hours: 'allow', cap: 'refuse' },
      evidence: { cap: { max: 1, calls: 1 } },
    });
    expect(firstLawfulAt(caseOf([rule({ kind: 'prohibition', what: 'x' })]), NOW)).toBeNull();
  });

  test('names the rule that moves the call', () => {
    const night = new Date('2026-11-21T03:00:00.000Z');
    expect(recordOf(caseOf([hours]), night)).toMatchObject({
      rule: 'hours',
      firstLawfulAt: '2026-11-21T13:00:00.000Z',
    });
  });

  test('judges again by its stored facts', () => {
    for (const one of [...Object.values(refusingCases(NOW.getTime())), caseOf([hours, cap])]) {
      const record = recordOf(one, NOW);
      const stored = JSON.parse(JSON.stringify(record.facts)) as NonNullable<typeof record.facts>;
      const again = complianceCaseOf(factsOfStored(stored), indexOf(...one.applicable.packs));
      expect(again && recordOf(again, NOW)).toEqual(record);
    }
  });

  test('of a warning keeps the verdicts and the evidence of what would refuse', () => {
    const setting = { ...ENFORCED, mode: 'warn' as const };
    const record = recordOf(caseOf([hours, cap], { processedAt: [ago(0)], setting }), NOW);
    expect(record).toMatchObject({ mode: 'warn', rule: null, verdicts: { hours: 'allow', cap: 'warn' } });
    expect(record.firstLawfulAt).toBe(NOW.toISOString());
  });
});

test('every kind of rule is judged', () => {
  const values: Record<(typeof RULE_KINDS)[number], PackRule> = {
    callingHours: rule({ kind: 'callingHours', clock: 'calledParty', hours: daily('08:00', '21:00') }),
    closedDates: rule({ kind: 'closedDates', days: [{ name: 'New Year', month: 1, day: 1 }] }),
    frequencyCap: rule({
      kind: 'frequencyCap',
      max: 1,
      window: { length: 1, unit: 'days', type: 'localDay' },
    }),
    coolOff: rule({ kind: 'coolOff', days: 7 }),
    consentRequired: rule({ kind: 'consentRequired', level: 'express' }),
    prohibition: rule({ kind: 'prohibition', what: 'x' }),
    suspension: rule({ kind: 'suspension', what: 'x' }, { effectiveTo: '2030-01-01' }),
    registerScrub: rule({ kind: 'registerScrub', register: 'r', maxAgeDays: null }),
    disclosure: rule({ kind: 'disclosure', disclosure: 'optOut', texts: { en: 'Say it.' } }),
  };
  const verdicts = judge(caseOf(Object.values(values)), NOW).verdicts;
  expect(verdicts.map(({ rule: { kind } }) => kind)).toEqual(Object.keys(values));
});
