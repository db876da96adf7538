import fc from 'fast-check';
import { WeightedShares, type Weighted } from '../../src/fairness/weighted-shares.js';

const weights = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 6 });
const services = fc.integer({ min: 0, max: 300 });

function weighted(all: number[]): Weighted[] {
  return all.map((weight, n) => ({ id: `${n}`, weight }));
}

/** Serves one after the other. @returns how often each id was served. */
function serve(shares: WeightedShares, ready: Weighted[], count: number): Map<string, number> {
  const served = new Map(ready.map(({ id }) => [id, 0]));
  for (let n = 0; n < count; n += 1) {
    const [id = ''] = shares.share(ready, 1);
    const one = ready.find((candidate) => candidate.id === id)!;
    shares.spend(one);
    served.set(id, (served.get(id) ?? 0) + 1);
  }
  return served;
}

/** Allows for the rounding of sums of 1/weight. */
const EPSILON = 1e-9;

test('services are in proportion to the weights: none is ahead of another by more than one service', () => {
  fc.assert(
    fc.property(weights, services, (all, count) => {
      const ready = weighted(all);
      const served = serve(new WeightedShares(), ready, count);
      expect([...served.values()].reduce((sum, one) => sum + one, 0)).toBe(count);
      for (const { id, weight } of ready) {
        for (const other of ready) {
          const before = (served.get(id)! - 1) / weight;
          expect(before).toBeLessThanOrEqual(served.get(other.id)! / other.weight + EPSILON);
        }
      }
    }),
  );
});

test('the next services, asked for at once, are those that would be served one after the other', () => {
  fc.assert(
    fc.property(weights, services, fc.integer({ min: 0, max: 16 }), (all, before, count) => {
      const ready = weighted(all);
      const shares = new WeightedShares();
      serve(shares, ready, before);
      const atOnce = shares.share(ready, count);
      expect(shares.share(ready, count)).toEqual(atOnce);
      const oneByOne = atOnce.map(() => {
        const [id = ''] = shares.share(ready, 1);
        shares.spend(ready.find((one) => one.id === id)!);
        return id;
      });
      expect(oneByOne).toEqual(atOnce);
    }),
  );
});

test('an id that had nothing to be served for a while gets its share from then on, and no more', () => {
  fc.assert(
    fc.property(weights, services, services, (all, before, after) => {
      const others = weighted(all);
      const late: Weighted = { id: 'late', weight: 10 };
      const shares = new WeightedShares();
      serve(shares, others, before);
      const served = serve(shares, [...others, late], after);
      // The others may be ahead of the least virtual time by one service each.
      for (const { id, weight } of others) {
        const ofLate = (served.get('late')! - 1) / late.weight;
        expect(ofLate).toBeLessThanOrEqual((served.get(id)! + 1) / weight + EPSILON);
      }
    }),
  );
});

test('an id that is no longer due is forgotten', () => {
  const shares = new WeightedShares();
  const [one, other] = weighted([1, 1]) as [Weighted, Weighted];
  for (let n = 0; n < 5; n += 1) shares.spend(one);
  expect(shares.share([one, other], 2)).toEqual(['0', '1']);
  shares.spend(other);
  expect(shares.share([one, other], 3)).toEqual(['0', '0', '1']);
  shares.keepOnly(new Set(['1']));
  expect(shares.share([one, other], 3)).toEqual(['0', '1', '0']);
});

test('nothing is served where nothing is due', () => {
  expect(new WeightedShares().share([], 3)).toEqual([]);
});
