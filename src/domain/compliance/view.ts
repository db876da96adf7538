import { type Evidence } from '../evidence.js';
import { type Verdict } from './judge.js';
import { type Pack, type PackRule, type RuleKind } from './pack.js';
import { type Place } from './place.js';
import { type ComplianceRecord } from './record.js';

/** What a rule says, with its text as its pack had it. */
export interface RuleView {
  id: string;
  verdict: Verdict;
  /** Null: the version of the pack is not known to this database. The same for what follows. */
  pack: string | null;
  kind: RuleKind | null;
  citation: string | null;
  source: PackRule['source'] | null;
  /** Empty where there is none, or it was erased with the contact. */
  evidence: Evidence;
}

/** A record with the texts of its rules, and the place by which it was judged. */
export interface ComplianceView extends Omit<ComplianceRecord, 'verdicts' | 'evidence' | 'facts'> {
  /** Empty: unknown, or erased with the contact. */
  zones: readonly string[];
  /** Null: erased with the contact. */
  zoneSource: Place['source'] | null;
  rules: readonly RuleView[];
}

/** @param packs of the versions that the record names, as far as they are known. */
export function complianceView(
  { verdicts, evidence, facts, ...record }: ComplianceRecord,
  packs: readonly Pack[],
): ComplianceView {
  const rules = new Map(
    packs.flatMap(({ pack, rules: all }) => all.map((rule) => [rule.id, { pack, rule }] as const)),
  );
  return {
    ...record,
    zones: facts?.place?.zones ?? [],
    zoneSource: facts === undefined ? null : (facts.place?.source ?? 'unknown'),
    rules: Object.entries(verdicts).map(([id, verdict]) => {
      const known = rules.get(id);
      return {
        id,
        verdict,
        pack: known?.pack ?? null,
        kind: known?.rule.kind ?? null,
        citation: known?.rule.citation ?? null,
        source: known?.rule.source ?? null,
        evidence: evidence?.[id] ?? {},
      };
    }),
  };
}
