import fc from 'fast-check';
import { disagreement } from './support/disagreement.js';
import { plays } from './support/play.js';

test('decide agrees with a simulation from minute to minute in 500 random plays', () => {
  const found = fc
    .sample(plays, { seed: Number(process.env.SEED ?? 20261122), numRuns: 500 })
    .flatMap((play) => disagreement(play) ?? []);
  expect(found.slice(0, 3)).toEqual([]);
});
