import { faultsAmong } from '../src/compliance/packs/check-packs.js';
import { readPacks, readShipped } from '../src/compliance/packs/pack-files.js';
import { shippedFaults } from '../src/compliance/packs/shipped-faults.js';

/**
 * `npm run packs:check`: says what is wrong with the packs of the release. `npm run packs:check -- <directory>` checks
 * packs of an operator beside them, as a process does at its start.
 */
function main([directory]: readonly string[]): void {
  const shipped = readShipped();
  const own = directory === undefined ? { packs: [], faults: [] } : readPacks(directory);
  const packs = [...shipped.packs, ...own.packs];
  const faults = [
    ...shipped.faults,
    ...own.faults,
    ...faultsAmong(packs),
    ...shippedFaults(shipped.packs, new Date()),
  ];
  for (const fault of faults) console.error(fault);
  const rules = packs.flatMap((pack) => pack.rules).length;
  console.log(`${packs.length} packs with ${rules} rules, ${faults.length} faults`);
  if (faults.length > 0) process.exitCode = 1;
}

main(process.argv.slice(2));
