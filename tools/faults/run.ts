/**
 * `npm run test:faults [-- --calls 10000] [--attempts 10000] [--seed 1] [--seeds 3] [--only name]
 * [--skip-singly] [--sabotage claim|sweeper|enrollment|opt-out|pack-windows|events|webhooks|engine-order] [--carrier
 * simulator|http|twilio|livekit|retell|vapi|elevenlabs] [--logs directory]`: breaks everything around Outdial while it works, and
 * checks what was dialed. Exits with 0 if nothing was lost, dialed twice, or dialed against a rule; 1
 * otherwise; 2 on bad usage.
 */
import { parseArgs } from 'node:util';
import { FAULTS } from './catalogue.js';
import { type Sabotage, SABOTAGES } from './dist-copy.js';
import { runMix } from './mix.js';
import { reportOf, someOf } from './report.js';
import { BACKLOG, runBacklog } from './backlog.js';
import { RESTORE, runRestore } from './restore.js';
import { runSingly } from './singly.js';
import { FAULT_CARRIER_NAMES, type FaultCarrier } from './carriers.js';
import { World } from './world.js';

const SETTLE_MS = 240_000;
/** What a sabotage lost will not come to an end. */
const SETTLE_SABOTAGED_MS = 90_000;

interface Options {
  calls: number;
  attempts: number;
  seeds: number[];
  only?: string;
  singly: boolean;
  sabotage?: Sabotage;
  carrier: FaultCarrier;
  logDirectory?: string;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '10000' },
      attempts: { type: 'string', default: '10000' },
      seed: { type: 'string', multiple: true },
      seeds: { type: 'string', default: '1' },
      only: { type: 'string' },
      'skip-singly': { type: 'boolean', default: false },
      sabotage: { type: 'string' },
      carrier: { type: 'string', default: 'simulator' },
      logs: { type: 'string' },
    },
  });
  const [calls, attempts, count] = [values.calls, values.attempts, values.seeds].map(Number) as [
    number,
    number,
    number,
  ];
  const seeds =
    values.seed?.map(Number) ?? Array.from({ length: count }, () => Math.floor(Math.random() * 1e6));
  if (![calls, attempts, count, ...seeds].every((number) => Number.isInteger(number) && number >= 0)) {
    throw new Error('--calls, --attempts, --seed and --seeds are whole numbers');
  }
  const sabotage = SABOTAGES.find((name) => name === values.sabotage);
  if (values.sabotage !== undefined && sabotage === undefined) {
    throw new Error(`--sabotage is one of ${SABOTAGES.join(', ')}`);
  }
  const carrier = FAULT_CARRIER_NAMES.find((name) => name === values.carrier);
  if (carrier === undefined) throw new Error(`--carrier is one of ${FAULT_CARRIER_NAMES.join(', ')}`);
  return {
    calls,
    attempts,
    seeds,
    only: values.only,
    singly: !values['skip-singly'] && sabotage === undefined,
    sabotage,
    carrier,
    logDirectory: values.logs,
  };
}

async function main({
  calls,
  attempts,
  seeds,
  only,
  singly,
  sabotage,
  carrier,
  logDirectory,
}: Options): Promise<boolean> {
  const log = (line: string) => console.log(line);
  let clean = true;
  const faults = FAULTS.filter(({ name }) => only === undefined || name.includes(only));
  if (singly && faults.length > 0) {
    log(`${faults.length} faults, each individually:`);
    const { results, violations } = await runSingly(faults, {
      seed: seeds[0] ?? 1,
      carrier,
      settleMs: SETTLE_MS,
      logDirectory,
      log,
    });
    for (const line of someOf(violations)) log(line);
    clean = violations.length === 0 && results.every(({ problems }) => problems.length === 0);
  }
  if (singly && RESTORE.includes(only ?? '')) {
    log(`${RESTORE}:`);
    const problems = await runRestore({ seed: seeds[0] ?? 1, logDirectory, settleMs: SETTLE_MS, log });
    for (const problem of problems) log(`  FAIL ${problem}`);
    clean &&= problems.length === 0;
  }
  if ((singly || sabotage === 'engine-order') && BACKLOG.includes(only ?? '')) {
    log(`${BACKLOG}:`);
    const problems = await runBacklog({ seed: seeds[0] ?? 1, sabotage, logDirectory, log });
    for (const problem of problems) log(`  FAIL ${problem}`);
    clean &&= problems.length === 0;
    // The mix would not show it better.
    if (sabotage !== undefined) return clean;
  }
  if (only !== undefined) return clean;
  log(
    `${calls} calls and ${attempts} attempts of campaigns through a random mix of all faults, seeds ${seeds.join(', ')}:`,
  );
  for (const seed of seeds) {
    const settleMs = sabotage ? SETTLE_SABOTAGED_MS : SETTLE_MS;
    const result = await runMix({ calls, attempts, seed, sabotage, carrier, logDirectory, settleMs, log });
    for (const line of reportOf(result)) log(line);
    clean &&= result.violations.length === 0 && result.missed.length === 0;
  }
  return clean;
}

const startedAt = Date.now();
let options: Options;
try {
  options = readOptions();
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}
/** Cleans up after any end of the run. */
function finish(code: number): void {
  void World.closeAll().finally(() => process.exit(code));
}

// SIGHUP: the terminal or the session of the run has ended. Node resets it to its default, which says
// nothing, also under `nohup`.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(signal, () => {
    console.error(`Stopped by ${signal}: nothing was checked.`);
    finish(1);
  });
}
process.once('uncaughtException', (error) => {
  console.error(error.stack);
  finish(1);
});
main(options).then(
  (clean) => {
    const result = clean ? 'Nothing was lost or dialed wrongly' : 'FAILED';
    console.log(`${result} (${Math.round((Date.now() - startedAt) / 1_000)} s)`);
    finish(clean ? 0 : 1);
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.stack : error);
    finish(1);
  },
);
