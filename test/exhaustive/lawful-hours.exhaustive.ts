import fc from 'fast-check';
import { lawfulCases, lawfulDisagreement } from '../domain/compliance/support/lawful-hours-cases.js';

const seed = Number(process.env.SEED ?? 20261120);
const runs = 20_000;

test('lawful hours agree with a minute scan of every clock in which the called person may be', () => {
  const started = performance.now();
  const disagreements: string[] = [];
  for (const one of fc.sample(lawfulCases, { seed, numRuns: runs })) {
    const found = lawfulDisagreement(one);
    if (found !== undefined) disagreements.push(found);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  process.stdout.write(
    `lawful hours: ${runs} cases, seed ${seed}: ${disagreements.length} disagreements, ${seconds} s\n`,
  );
  expect(disagreements.slice(0, 5)).toEqual([]);
});
