import { complianceOf } from '../../dialing/facts/compliance.js';
import { rangeOf } from '../../dialing/claim/agent-facts.js';
import { type ForecastEnrollment, type ForecastScene } from '../../domain/campaigns/forecast/scene.js';
import { type ComplianceCase, isHours } from '../../domain/compliance/compliance-case.js';
import { type PackIndex } from '../../domain/compliance/pack-index.js';
import { type Purpose } from '../../domain/compliance/pack.js';
import { type SentComplianceSetting } from '../../domain/compliance/setting.js';
import { attemptOf } from '../engine/attempts.js';
import { type ForecastRow } from './forecast.sql.js';

/** The facts of a number under its erased form. */
export interface ErasedRow {
  onDoNotCall: boolean;
  processedAt: number[];
  lastConversationAt: number | null;
}

/** What packs read about each enrollment of the team. */
export interface ForecastLaw {
  packs: PackIndex;
  setting: SentComplianceSetting;
  /** The team's default country. */
  homeCountry: string | null;
}

/** A live enrollment, in its state at the beginning of the forecast. */
export function enrollmentOf(
  row: ForecastRow,
  { from, team }: ForecastScene,
  law: ForecastLaw,
  erased?: ErasedRow,
): ForecastEnrollment {
  const { number, otherCall, lastConversationAt } = row;
  const ofErased = erased?.lastConversationAt ?? null;
  return {
    number,
    country: rangeOf(number, team).country,
    contactTimezone: row.zone,
    contactDeleted: row.erased,
    whitelisted: row.whitelisted,
    onDoNotCall: row.onDoNotCall || (erased?.onDoNotCall ?? false),
    state: {
      enrolledAt: new Date(row.enrolledAt),
      stepKey: row.step,
      paused: row.paused,
      notBefore: row.notBefore === null ? null : new Date(row.notBefore),
      attempts: (row.attempts ?? []).map(attemptOf),
    },
    processedAt: [...(row.processedAt ?? []), ...(erased?.processedAt ?? [])],
    lastConversationAt:
      lastConversationAt === null || ofErased === null
        ? (lastConversationAt ?? ofErased)
        : Math.max(lastConversationAt, ofErased),
    lawOf: lawOf(row, law, erased),
    otherCall: otherCall && { dialedAt: otherCall.runsAt },
    rank: row.lookAt ?? from,
  };
}

/** The facts are read once for each purpose: most campaigns have one. */
function lawOf(
  { number, zone, compliance }: ForecastRow,
  { packs, setting, homeCountry }: ForecastLaw,
  erased?: ErasedRow,
): ForecastEnrollment['lawOf'] {
  if (compliance === null) return null;
  const ofErased = {
    processedAt: erased?.processedAt ?? [],
    lastConversationAt: erased?.lastConversationAt == null ? null : new Date(erased.lastConversationAt),
  };
  return once((agentPurpose: Purpose | null) => {
    const row = { ...compliance, setting, homeCountry, purpose: compliance.purpose ?? agentPurpose };
    const one = complianceOf(row, packs, { phoneNumber: number, zone }, ofErased);
    return one && decisive(one);
  });
}

type Rules = Pick<ComplianceCase, 'rules' | 'lawfulHours'>;

/** The rules of cases by the packs of their places, then by the setting and the zones: most enrollments share a few. */
const rulesOfPlaces = new WeakMap<ComplianceCase['applicable'], Map<string, Rules>>();

/**
 * The case with those rules alone that can refuse a call. A rule that warns or discloses, or whose hours are among
 * `lawfulHours`, would be judged for the record, and a forecast has none.
 */
function decisive({ facts, applicable, rules, lawfulHours }: ComplianceCase): ComplianceCase {
  const known = rulesOfPlaces.get(applicable) ?? new Map<string, Rules>();
  rulesOfPlaces.set(applicable, known);
  const key = JSON.stringify([facts.setting.mode, facts.setting.kinds, facts.place.zones]);
  const shared = known.get(key) ?? { rules: rules.filter(canRefuse), lawfulHours };
  known.set(key, shared);
  return { facts, applicable, ...shared };
}

const canRefuse = ({ rule, mode }: ComplianceCase['rules'][number]) =>
  mode === 'enforce' && rule.kind !== 'disclosure' && !isHours(rule);

/** Remembers the last answer. */
function once<Key, Value>(of: (key: Key) => Value): (key: Key) => Value {
  let last: { key: Key; value: Value } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, value: of(key) };
    return last.value;
  };
}
