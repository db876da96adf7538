import fc from 'fast-check';
import { disagreement } from '../domain/campaigns/support/disagreement.js';
import { plays } from '../domain/campaigns/support/play.js';

const seed = Number(process.env.SEED ?? 20261123);
const numRuns = 20_000;

test('decide agrees with a reading that goes from minute to minute, in 20,000 random plays', () => {
  const started = performance.now();
  const disagreements: string[] = [];
  // In parts, because a part is held in memory.
  for (let part = 0; part < numRuns; part += 1_000) {
    for (const play of fc.sample(plays, { seed: seed + part, numRuns: 1_000 })) {
      const found = disagreement(play);
      if (found !== undefined) disagreements.push(`${found}\n${JSON.stringify(play)}`);
    }
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  process.stdout.write(
    `campaigns: ${numRuns} plays, seed ${seed}: ${disagreements.length} disagreements, ${seconds} s\n`,
  );
  expect(disagreements.slice(0, 3)).toEqual([]);
});
