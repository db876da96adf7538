import { setImmediate } from 'node:timers/promises';
import { Pace } from '../../src/imports/pace.js';

const MS_PER_ROW = 1;

async function duration(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

test('rows take at least their time together', async () => {
  // A timer counts from the beginning of its iteration of the event loop: a new one has just begun.
  await setImmediate();
  const took = await duration(async () => {
    const pace = new Pace(MS_PER_ROW);
    for (const rows of [20, 30, 50]) await pace.rest(rows);
  });
  // Timers count whole milliseconds.
  expect(took).toBeGreaterThanOrEqual(97);
});

test('rows that were slower by themselves do not rest', async () => {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const pace = new Pace(1_000_000);
  const outcomeOf = (rest: Promise<void>) =>
    Promise.race([rest.then(() => 'none'), setImmediate('a rest')] as const);
  clock.mockReturnValue(3_000_001);
  expect(await outcomeOf(pace.rest(3))).toBe('none');
  // They do not save time for the next ones either.
  const stopping = new AbortController();
  clock.mockReturnValue(0);
  const next = new Pace(1_000_000, stopping.signal);
  clock.mockReturnValue(9_000_000);
  await next.rest(1);
  const rest = next.rest(1);
  expect(await outcomeOf(rest)).toBe('a rest');
  stopping.abort();
  await rest;
  clock.mockRestore();
});

test('an aborted signal ends a rest', async () => {
  const stopping = new AbortController();
  const resting = new Pace(1_000_000, stopping.signal).rest(1_000);
  stopping.abort();
  await expect(resting).resolves.toBeUndefined();
});
