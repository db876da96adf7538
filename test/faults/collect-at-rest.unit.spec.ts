import { collectAtRest } from '../../tools/faults/collect-at-rest.js';

/** Collects while the calls of `ends` end, one in each collection. */
function collectBeside(ends: string[], patienceMs = 60_000) {
  const ended: string[] = [];
  let told: string[] = [];
  const read = () => {
    told = [...ended];
    return Promise.resolve(told.length);
  };
  const collect = () => {
    const end = ends.shift();
    if (end !== undefined) ended.push(end);
    return Promise.resolve({ told: [...told], ended: [...ended] });
  };
  return collectAtRest(read, collect, patienceMs);
}

test('is collected again while calls end between the reads of events and of calls', async () => {
  expect(await collectBeside(['a', 'b'])).toEqual({ told: ['a', 'b'], ended: ['a', 'b'] });
});

test('is collected once if nothing happens, or if the patience is over', async () => {
  expect(await collectBeside([])).toEqual({ told: [], ended: [] });
  expect(await collectBeside(['a', 'b'], -1)).toEqual({ told: [], ended: ['a'] });
});
