import fc from 'fast-check';
import { casesAround, disagreement, zones } from '../domain/support/calling-hours-cases.js';
import { zoneTable } from '../domain/support/calling-hours-oracle.js';

const seed = Number(process.env.SEED ?? 20261120);
const tableSince = Date.UTC(1999, 6);
const tableUntil = Date.UTC(2031, 6);
const since = Date.UTC(2024, 0);
const until = Date.UTC(2031, 0);

const casesAtTransition = 50;
/**
 * Before the years that matter, for what has become rare since: skipped days, transitions just after
 * midnight.
 */
const casesAtOldTransition = 5;
const randomAnchors = 40;
const casesAtRandomAnchor = 2;

test('calling hours agree with a minute scan of the wall clock in every zone, around every transition', () => {
  const started = performance.now();
  const disagreements: string[] = [];
  const count = { zones: 0, transitions: 0, oldTransitions: 0, cases: 0 };

  for (const [index, zone] of zones.entries()) {
    const table = zoneTable(zone, tableSince, tableUntil);
    let batch = index * 100_000 + seed;
    const check = (anchor: number, numRuns: number) => {
      for (const one of fc.sample(casesAround(table, anchor), { seed: batch++, numRuns })) {
        count.cases++;
        const found = disagreement(table, one);
        if (found !== undefined) disagreements.push(found);
      }
    };
    count.zones++;
    for (const transition of table.starts.slice(1)) {
      if (transition >= until) break;
      const old = transition < since;
      if (old) count.oldTransitions++;
      else count.transitions++;
      check(transition, old ? casesAtOldTransition : casesAtTransition);
    }
    const anchors = fc.sample(fc.integer({ min: since, max: until }), {
      seed: batch++,
      numRuns: randomAnchors,
    });
    for (const anchor of anchors) check(anchor, casesAtRandomAnchor);
  }

  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  process.stdout.write(
    `calling hours: ${count.cases} cases in ${count.zones} zones around ${count.transitions} transitions of 2024 to 2030 ` +
      `and ${count.oldTransitions} of 2000 to 2023, seed ${seed}: ${disagreements.length} disagreements, ${seconds} s\n`,
  );
  expect(disagreements.slice(0, 5)).toEqual([]);
  expect(count.cases).toBeGreaterThanOrEqual(100_000);
});
