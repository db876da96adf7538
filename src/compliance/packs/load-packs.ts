import { ConfigError } from '../../config/config-error.js';
import { type Pack } from '../../domain/compliance/pack.js';
import { faultsAmong } from './check-packs.js';
import { type ReadPacks, readPacks, readShipped } from './pack-files.js';
import { raiseRules } from './raise-rules.js';

export interface PackSettings {
  /** A directory with packs of the operator. */
  packsDir?: string;
  /** Ids of rules that count as sure, with commas between. */
  packsRaise?: string;
}

/**
 * The packs of the release and of the operator.
 *
 * @throws ConfigError naming everything that is wrong: variable, file, rule, field.
 */
export function loadPacks({ packsDir, packsRaise }: PackSettings): Pack[] {
  const raised = new Set((packsRaise ?? '').split(',').flatMap((id) => id.trim() || []));
  const shipped = readShipped();
  const own = packsDir === undefined ? { packs: [], faults: [] } : readOwn(packsDir);
  const packs = [...shipped.packs, ...own.packs];
  const problems = [
    // Those of the release are tested; a fault is of its installation.
    ...shipped.faults.map((fault) => `the release's packs: ${fault}`),
    ...[...own.faults, ...(own.faults.length === 0 ? faultsAmong(packs) : [])].map(
      (fault) => `PACKS_DIR: ${fault}`,
    ),
    ...unknownIds(raised, packs).map((id) => `PACKS_RAISE: ${id} is not the id of a rule`),
  ];
  if (problems.length > 0)
    throw new ConfigError(`Invalid environment variables:\n  ${problems.join('\n  ')}`);
  return raised.size === 0 ? packs : packs.map((pack) => raiseRules(pack, raised));
}

function readOwn(directory: string): ReadPacks {
  try {
    return readPacks(directory);
  } catch (error) {
    return { packs: [], faults: [`cannot be read: ${(error as NodeJS.ErrnoException).code}`] };
  }
}

function unknownIds(raised: ReadonlySet<string>, packs: readonly Pack[]): string[] {
  const known = new Set(packs.flatMap(({ rules }) => rules.map(({ id }) => id)));
  return [...raised].filter((id) => !known.has(id));
}
