import { setImmediate } from 'node:timers/promises';
import { Pace } from '../../src/imports/pace.js';

const MS_PER_ROW = 1;

afterEach(() => jest.restoreAllMocks());

test('rows take at least their time together', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const timers = jest.requireActual<typeof import('node:timers/promises')>('node:timers/promises');
  const rests: number[] = [];
  jest.spyOn(timers, 'setTimeout').mockImplementation((ms = 0) => {
    rests.push(ms);
    now += ms;
    return Promise.resolve();
  });
  const pace = new Pace(MS_PER_ROW);
  await pace.rest(20);
  now += 10;
  await pace.rest(30);
  await pace.rest(50);
  expect(rests).toEqual([20, 20, 50]);
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
});

test('an aborted signal ends a rest', async () => {
  const stopping = new AbortController();
  const resting = new Pace(1_000_000, stopping.signal).rest(1_000);
  stopping.abort();
  await expect(resting).resolves.toBeUndefined();
});
