import { type Evidence } from '../evidence.js';
import { zoneData } from '../zones/time-zone.js';
import { type Schedule } from '../calling-hours.js';
import { type ComplianceCase, isHours, type RuleMode } from './compliance-case.js';
import { type ComplianceFacts, type ComplianceSetting } from './facts.js';
import { firstRefusal, judge, type Judgement, refusalFor, type RuleVerdict, type Verdict } from './judge.js';
import { nextLawfulOpening } from './openings.js';
import { type PackRule } from './pack.js';

/** The facts of a judgement without what is empty, as they are stored. See {@link storedFacts}. */
export type StoredComplianceFacts = Partial<Omit<ComplianceFacts, 'setting' | 'place'>> & {
  setting?: Partial<ComplianceSetting>;
  place?: Partial<ComplianceFacts['place']>;
};

/**
 * What packs say of a call, as it is stored with its decision, by the ids of rules. The texts of a rule stand in
 * its pack, of which every version that decided something is kept. `evidence` and `facts` are personal data.
 */
export interface ComplianceRecord {
  mode: RuleMode;
  /** The jurisdictions of the called person, described by packs or not. */
  jurisdictions: readonly string[];
  /** The versions of the packs, by name. */
  packs: Readonly<Record<string, string>>;
  /** The version of the time zone data. */
  tzdata: string;
  /** The rule by which packs refuse the call first, or else move it; null: none. */
  rule: string | null;
  /**
   * The first instant (ISO 8601, UTC) at which no enforced rule refuses, if the facts stay the same; null: waiting does
   * not help.
   */
  firstLawfulAt: string | null;
  /** By the id of the rule; of the rules in force. */
  verdicts: Readonly<Record<string, Verdict>>;
  /** The ids of the rules that require a disclosure. */
  disclosures: readonly string[];
  /** The ids of the consents on which the call relies. */
  consents: readonly string[];
  /** By the id of the rule, where it is not empty. */
  evidence?: Readonly<Record<string, Evidence>>;
  facts?: StoredComplianceFacts;
}

/** The record of a call at `now`. Pure. */
export function recordOf(one: ComplianceCase, now: Date): ComplianceRecord {
  const judgement = judge(one, now);
  const { verdicts, disclosures, consents } = judgement;
  return {
    mode: one.facts.setting.mode === 'enforce' ? 'enforce' : 'warn',
    jurisdictions: one.applicable.jurisdictions,
    packs: Object.fromEntries(one.applicable.packs.map(({ pack, version }) => [pack, version])),
    tzdata: zoneData().version,
    rule: decidingRule(judgement),
    firstLawfulAt: firstLawfulAt(one, now)?.toISOString() ?? null,
    verdicts: Object.fromEntries(verdicts.map(({ rule, verdict }) => [rule.id, verdict])),
    disclosures: disclosures.map(({ id }) => id),
    consents,
    evidence: Object.fromEntries(verdicts.filter(isTelling).map(({ rule, evidence }) => [rule.id, evidence])),
    facts: storedFacts(one.facts, registersOf(one)),
  };
}

function decidingRule(judgement: Judgement): string | null {
  const reason = firstRefusal(judgement);
  const refusing =
    reason === null
      ? judgement.verdicts.find(({ rule, verdict }) => isHours(rule) && verdict === 'refuse')
      : refusalFor(judgement, reason);
  return refusing?.rule.id ?? null;
}

/** Of rules that allow the call, only an enforced one is stored with its evidence. */
function isTelling({ evidence, verdict, mode }: RuleVerdict): boolean {
  return Object.keys(evidence).length > 0 && (verdict !== 'allow' || mode === 'enforce');
}

const ANY_HOURS: Schedule = { callingHours: null, closedDates: [] };
/** Each round advances `at` to an opening or to the end of a refusal. */
const MAX_ROUNDS = 50;

/**
 * The first instant at or after `now` at which no enforced rule of packs refuses, by the same facts; null if waiting does
 * not help. Pure.
 */
export function firstLawfulAt(one: ComplianceCase, now: Date): Date | null {
  let at = now;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const opening = nextLawfulOpening(ANY_HOURS, 'UTC', one.lawfulHours, at);
    if (opening === null) return null;
    const judgement = judge(one, opening);
    if (judgement.locationUnknown) return null;
    const refusing = judgement.verdicts.filter(
      ({ verdict, reason }) => verdict === 'refuse' && reason !== null,
    );
    if (refusing.length === 0) return opening;
    const latest = Math.max(...refusing.map(({ retryAt }) => retryAt ?? Infinity));
    if (latest === Infinity || latest <= opening.getTime()) return null;
    at = new Date(latest);
  }
  return null;
}

/** The registers that the rules of the call name. */
function registersOf({ rules }: ComplianceCase): ReadonlySet<string> {
  return new Set(
    rules.flatMap(({ rule }: { rule: PackRule }) => (rule.kind === 'registerScrub' ? [rule.register] : [])),
  );
}

/** The facts without what is null or empty, and without the registers that no rule of the call names. */
export function storedFacts(facts: ComplianceFacts, registers: ReadonlySet<string>): StoredComplianceFacts {
  const { setting, place } = facts;
  return withoutEmpty({
    ...facts,
    registers: facts.registers.filter(({ register }) => registers.has(register)),
    setting: withoutEmpty(setting),
    place: withoutEmpty(place),
  });
}

/** The inverse of {@link storedFacts}. */
export function factsOfStored({ setting, place, ...facts }: StoredComplianceFacts): ComplianceFacts {
  return {
    purpose: null,
    region: null,
    consents: [],
    registers: [],
    processedAt: [],
    lastConversationAt: null,
    ...facts,
    setting: {
      mode: 'warn',
      packs: 'auto',
      purpose: null,
      voice: null,
      regionProperty: null,
      consentProperty: null,
      kinds: {},
      ...setting,
    },
    place: { zones: [], source: 'unknown', country: null, regions: [], ...place },
  };
}

function withoutEmpty<T extends object>(value: T): Partial<T> {
  const kept = Object.entries(value).filter(
    ([, each]) => each !== null && (typeof each !== 'object' || Object.keys(each as object).length > 0),
  );
  return Object.fromEntries(kept) as Partial<T>;
}
