import { complianceCaseOf } from './compliance-case.js';
import { type Verdict } from './judge.js';
import { PackIndex, type PacksOfPlaces } from './pack-index.js';
import { type ComplianceRecord, factsOfStored, recordOf } from './record.js';
import { byZoneData } from '../zones/time-zone.js';
import { type ZoneData } from '../zones/zone-data.js';

/** A rule about which two judgements differ; null: the rule is not in force in one of them. */
export interface RuleDifference {
  rule: string;
  kept: Verdict | null;
  now: Verdict | null;
}

/** What judges a decision. */
export interface JudgedBy {
  packs: PacksOfPlaces;
  zones: ZoneData;
}

/** A kept decision of packs that is judged again from its stored facts. */
export interface Replayed {
  /** Where the packs and the zone data that decided say something else now. Empty, unless a version is missing. */
  differences: readonly RuleDifference[];
  /** Where the packs and the zone data of this process say something else. */
  today: readonly RuleDifference[];
}

/**
 * Judges a kept decision again, at its instant and by its facts.
 *
 * @param at of the decision.
 * @param by the packs and the zone data of the versions that decided.
 * @param today those of this process.
 * @returns null if the facts were erased with the contact.
 */
export function replayOf(record: ComplianceRecord, at: Date, by: JudgedBy, today: JudgedBy): Replayed | null {
  if (record.facts === undefined) return null;
  const facts = factsOfStored(record.facts);
  const [then, now] = [by, today].map(({ packs, zones }) =>
    byZoneData(zones, () => {
      const one = complianceCaseOf(facts, new PackIndex(packs));
      return one === null ? {} : recordOf(one, at).verdicts;
    }),
  );
  return {
    differences: differencesOf(record.verdicts, then ?? {}),
    today: differencesOf(record.verdicts, now ?? {}),
  };
}

type Verdicts = ComplianceRecord['verdicts'];

function differencesOf(kept: Verdicts, now: Verdicts): RuleDifference[] {
  const rules = [...new Set([...Object.keys(kept), ...Object.keys(now)])];
  return rules
    .filter((rule) => kept[rule] !== now[rule])
    .map((rule) => ({ rule, kept: kept[rule] ?? null, now: now[rule] ?? null }));
}
