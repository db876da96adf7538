import { type ComplianceCase, complianceCaseOf } from '../../../src/domain/compliance/compliance-case.js';
import { type ComplianceFacts, type ComplianceSetting } from '../../../src/domain/compliance/facts.js';
import { PackIndex } from '../../../src/domain/compliance/pack-index.js';
import {
  type Pack,
  type PackRule,
  PURPOSES,
  type RuleHead,
  VOICES,
} from '../../../src/domain/compliance/pack.js';
import { NO_COMPLIANCE } from '../../../src/domain/compliance/setting.js';
import { type ComplianceReason } from '../../../src/domain/compliance/rules/rule-outcome.js';
import { type CallingHours } from '../../../src/domain/calling-hours.js';
import { Packs } from '../../../src/compliance/packs/packs.service.js';

type Value<Rule> = Rule extends PackRule ? Omit<Rule, keyof RuleHead> : never;

let ruleCount = 0;

/** A rule of high confidence for every call, in force on any date. */
export function rule(value: Value<PackRule>, head: Partial<RuleHead> = {}): PackRule {
  ruleCount += 1;
  return {
    id: `rule-${ruleCount}`,
    appliesTo: { purpose: PURPOSES, voice: VOICES },
    effectiveFrom: null,
    effectiveTo: null,
    unless: null,
    citation: 'Art. 1',
    source: { url: 'https://law.example', readOn: '2026-11-01' },
    confidence: 'high',
    note: null,
    ...head,
    ...value,
  };
}

export function pack(rules: readonly PackRule[], about: Partial<Pack> = {}): Pack {
  const jurisdiction = about.jurisdiction ?? 'US';
  return {
    pack: jurisdiction.toLowerCase(),
    jurisdiction,
    name: jurisdiction,
    version: '0123456789ab',
    extends: [],
    rules,
    ...about,
  };
}

export const ENFORCED: ComplianceSetting = { ...NO_COMPLIANCE, mode: 'enforce' };

/** A person in New York by the area code, without consents, registers or calls. */
export function complianceFacts(facts: Partial<ComplianceFacts> = {}): ComplianceFacts {
  return {
    setting: ENFORCED,
    purpose: null,
    place: { zones: ['America/New_York'], source: 'areaCode', country: 'US', regions: ['US-NY'] },
    region: null,
    consents: [],
    registers: [],
    processedAt: [],
    lastConversationAt: null,
    ...facts,
  };
}

export const indexOf = (...packs: Pack[]) => new PackIndex(new Packs(() => packs));

/** The case of these rules of the United States. */
export function caseOf(rules: readonly PackRule[], facts: Partial<ComplianceFacts> = {}): ComplianceCase {
  const one = complianceCaseOf(complianceFacts(facts), indexOf(pack(rules)));
  if (one === null) throw new Error('the mode is off');
  return one;
}

/** The same window on every day. */
export function daily(start: string, end: string): NonNullable<CallingHours> {
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  return Object.fromEntries(days.map((day) => [day, [{ start, end }]]));
}

const CAP = rule({
  kind: 'frequencyCap',
  max: 1,
  window: { length: 7, unit: 'days', type: 'rolling' },
});
const HOUR_MS = 3_600_000;

/** For each reason, a case by which packs refuse at `now` for it and for no other. @param now epoch milliseconds. */
export function refusingCases(now: number): Record<ComplianceReason, ComplianceCase> {
  const scrub = rule({ kind: 'registerScrub', register: 'us-ftc-dnc', maxAgeDays: 31 });
  const asOf = new Date(now).toISOString();
  return {
    JURISDICTION_CAP: caseOf([CAP], { processedAt: [now - HOUR_MS] }),
    COOL_OFF: caseOf([rule({ kind: 'coolOff', days: 7 })], { lastConversationAt: now - HOUR_MS }),
    CONSENT_REQUIRED: caseOf([rule({ kind: 'consentRequired', level: 'express' })]),
    CALLING_PROHIBITED: caseOf([rule({ kind: 'prohibition', what: 'Sales of weapons' })]),
    SUSPENDED: caseOf([
      rule({ kind: 'suspension', what: 'A state of emergency' }, { effectiveTo: '2030-01-01' }),
    ]),
    ON_REGISTER: caseOf([scrub], { registers: [{ register: 'us-ftc-dnc', asOf, listed: true }] }),
    REGISTER_STALE: caseOf([scrub]),
    UNKNOWN_LOCATION: caseOf([], { place: { zones: [], source: 'unknown', country: null, regions: [] } }),
  };
}
