import { type Pack } from './pack.js';

const DAY_SECONDS = 86_400;

/** What the rules of packs make of the age of a register. */
export interface RegisterUse {
  /** Packs with a rule that reads the register. */
  readBy: string[];
  /** Those of them for whose rule it is too old. */
  staleFor: string[];
}

/**
 * @param ageSeconds since the list of the version in force was made; null: the register was never imported, or removed.
 */
export function useOfRegister(
  packs: readonly Pack[],
  register: string,
  ageSeconds: number | null,
): RegisterUse {
  const rules = packs.flatMap(({ pack, rules: all }) =>
    all.flatMap((rule) =>
      rule.kind === 'registerScrub' && rule.register === register
        ? [{ pack, maxAgeDays: rule.maxAgeDays }]
        : [],
    ),
  );
  const isStale = (maxAgeDays: number | null) =>
    ageSeconds === null || (maxAgeDays !== null && ageSeconds > maxAgeDays * DAY_SECONDS);
  const packsOf = (found: typeof rules) => [...new Set(found.map(({ pack }) => pack))];
  return { readBy: packsOf(rules), staleFor: packsOf(rules.filter(({ maxAgeDays }) => isStale(maxAgeDays))) };
}

/** The registers that rules of the packs read, sorted by name. */
export function registersOfPacks(packs: readonly Pack[]): string[] {
  const names = packs.flatMap(({ rules }) =>
    rules.flatMap((rule) => (rule.kind === 'registerScrub' ? [rule.register] : [])),
  );
  return [...new Set(names)].sort();
}
