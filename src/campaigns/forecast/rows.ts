import { complianceOf } from '../../dialing/facts/compliance.js';
import { rangeOf } from '../../dialing/claim/agent-facts.js';
import { type ForecastEnrollment, type ForecastScene } from '../../domain/campaigns/forecast/scene.js';
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
    return complianceOf(row, packs, { phoneNumber: number, zone }, ofErased);
  });
}

/** Remembers the last answer. */
function once<Key, Value>(of: (key: Key) => Value): (key: Key) => Value {
  let last: { key: Key; value: Value } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, value: of(key) };
    return last.value;
  };
}
