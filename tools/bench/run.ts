/**
 * `npm run bench [-- --rounds 10] [--seconds 4] [--only 'name;name'] [--out file]`: how close Outdial comes to
 * what Postgres, BullMQ and Nest can do by themselves, all in one run and in turn. Writes its section of
 * docs/benchmarks.md, or another file; exits with 1 where a request failed. With `--against <commit or path of another build> [--rounds 8]
 * [--seconds 2]` it compares that build with this one instead, and prints a table.
 */
import { parseArgs } from 'node:util';
import { slicesOf, type Slice } from './slices.js';
import { compare } from './compare.js';
import { fill } from './data.js';
import { GROUPS } from './groups.js';
import { publish } from './page.js';
import { report } from './report.js';
import { Stack } from './stack.js';
import { type Samples } from './table.js';

const DEFAULTS = { rounds: 10, seconds: 4 };
const COMPARISON_DEFAULTS = { rounds: 8, seconds: 2 };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      against: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      only: { type: 'string' },
      out: { type: 'string' },
    },
  });
  const { against } = values;
  const byDefault = against === undefined ? DEFAULTS : COMPARISON_DEFAULTS;
  const rounds = Number(values.rounds ?? byDefault.rounds);
  const seconds = Number(values.seconds ?? byDefault.seconds);
  if (!(rounds >= 1) || !(seconds > 0)) throw new Error('--rounds and --seconds are numbers above 0');
  if (against !== undefined) return console.log(await compare(against, rounds, seconds));
  const stack = await Stack.start();
  const stop = () => void stack.close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    console.error('Filling the database …');
    await fill(stack.db, Object.values(GROUPS));
    const { slices, floorName } = await slicesOf(stack, seconds);
    const chosen = slices.filter(({ name }) => values.only?.split(';').includes(name) ?? true);
    const samples: Samples = new Map();
    // The first round opens connections, compiles and fills caches.
    for (let round = 0; round <= rounds; round += 1) await playRound(round, chosen, samples, stack);
    const text = await report(stack, samples, { rounds, seconds, floorName });
    await publish('floors', text, values.out);
  } finally {
    await stack.close();
  }
}

async function playRound(round: number, slices: Slice[], samples: Samples, stack: Stack): Promise<void> {
  // Another order each round, so that none always follows the same other one.
  const start = round % slices.length;
  for (const slice of [...slices.slice(start), ...slices.slice(0, start)]) {
    const sample = await slice.run();
    await stack.clean();
    const rate = `${Math.round(sample.perSecond)}/s, p99 ${sample.p99.toFixed(1)} ms`;
    console.error(`${round === 0 ? 'warm-up' : `round ${round}`}  ${slice.name.padEnd(22)} ${rate}`);
    if (round === 0) continue;
    samples.set(slice.name, [...(samples.get(slice.name) ?? []), sample]);
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
