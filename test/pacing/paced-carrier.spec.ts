import { Redis } from 'ioredis';
import { PacedCarrier } from '../../src/pacing/paced-carrier.js';
import { PacingStoppedError } from '../../src/pacing/slot.js';
import { TAKE_SLOTS } from '../../src/pacing/take-slots.lua.js';
import { testRedisPrefix, testRedisUrl } from '../support/redis.js';

type Scripted = Redis & {
  takeSlots(key: string, intervalUs: number, wanted: number, horizonUs: number): Promise<[number, number]>;
};

let redis: Scripted;
let key: string;

beforeAll(() => {
  redis = new Redis(testRedisUrl()) as Scripted;
  redis.defineCommand('takeSlots', { numberOfKeys: 1, lua: TAKE_SLOTS });
});
afterAll(() => redis.quit());
beforeEach(() => {
  key = `${testRedisPrefix()}:slots`;
});
afterEach(() => redis.del(key));

const carrier = (callsPerSecond: number) =>
  new PacedCarrier(callsPerSecond, async (intervalMs, wanted) => {
    const [count, us] = await redis.takeSlots(key, intervalMs * 1_000, wanted, 1_000_000);
    return [count, us / 1_000];
  });

/** The most of these instants (ms) within any one second. */
function mostInOneSecond(instants: number[]): number {
  return Math.max(
    ...instants.map((start) => instants.filter((at) => at >= start && at < start + 1_000).length),
  );
}

/** Dials through `workers` as fast as they let it; gives the instants of the dials. */
async function dial(workers: PacedCarrier[], count: number, claim = () => Promise.resolve()) {
  const dials: number[] = [];
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const worker = workers[index % workers.length] as PacedCarrier;
      const slot = await worker.take();
      await worker.approach(slot);
      await claim();
      expect(await worker.arrive(slot, performance.now() + 5_000)).toBe(true);
      dials.push(performance.now());
    }),
  );
  return dials.sort((a, b) => a - b);
}

const rateOf = (dials: number[]) => ((dials.length - 1) / ((dials.at(-1) ?? 0) - (dials[0] ?? 0))) * 1_000;

test.each([[20], [100]])(
  '%i a second from three workers: never more in any second, and hardly fewer',
  async (limit) => {
    const dials = await dial([carrier(limit), carrier(limit), carrier(limit)], limit * 4);
    expect(mostInOneSecond(dials)).toBeLessThanOrEqual(limit);
    // Who is late on a busy machine loses a slot; `npm run bench:herd` measures how many.
    expect(rateOf(dials)).toBeGreaterThan(limit * 0.85);
  },
  20_000,
);

test('slots gathered during a pause are not dialed at once after it', async () => {
  const worker = carrier(50);
  await dial([worker], 10);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const dials = await dial([worker], 75);
  expect(mostInOneSecond(dials)).toBeLessThanOrEqual(50);
});

test('claims of every length keep the limit, and are begun early enough once their length is known', async () => {
  let turn = 0;
  const claim = () => new Promise<void>((resolve) => setTimeout(resolve, 5 + ((turn += 7) % 30)));
  const workers = [carrier(50), carrier(50)];
  await dial(workers, 100, claim);
  const dials = await dial(workers, 150, claim);
  expect(mostInOneSecond(dials)).toBeLessThanOrEqual(50);
  expect(rateOf(dials)).toBeGreaterThan(40);
});

test('a claim that took too long gets a later slot, before those who have claimed nothing', async () => {
  const worker = carrier(10);
  const slot = await worker.take();
  await worker.approach(slot);
  const others = Promise.all(Array.from({ length: 30 }, () => worker.take()));
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(await worker.arrive(slot, performance.now() + 4_000)).toBe(true);
  const arrived = performance.now();
  const later = await others;
  expect(arrived).toBeLessThan(later.at(-1)?.earliest ?? 0);
});

test('who cannot be dialed in time is told so', async () => {
  const worker = carrier(1);
  const slot = await worker.take();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await worker.arrive(slot, performance.now() + 300)).toBe(false);
});

test('a slot that is given back goes to the next', async () => {
  const worker = carrier(1);
  await worker.take();
  const slot = await worker.take();
  worker.giveBack(slot);
  expect(await worker.take()).toBe(slot);
});

test('after a stop nobody gets a slot who has not claimed', async () => {
  const worker = carrier(1);
  await worker.take();
  const waiting = [worker.take(), worker.take(), worker.take()];
  const settled = Promise.allSettled(waiting);
  worker.stop();
  const reasons = (await settled).map((result) =>
    result.status === 'rejected' ? (result.reason as unknown) : result.value,
  );
  expect(reasons.filter((reason) => reason instanceof PacingStoppedError).length).toBeGreaterThanOrEqual(2);
  await expect(worker.take()).rejects.toThrow(PacingStoppedError);
});

test('a clock that is set back does not stop the carrier', async () => {
  const future = (Date.now() + 3_600_000) * 1_000;
  await redis.set(key, String(future));
  const [first] = await redis.takeSlots(key, 20_000, 1, 1_000_000);
  expect(first).toBe(0);
  // The worst that may be ahead: the horizon and one slot.
  await redis.set(key, String(future));
  const worker = carrier(50);
  const begun = performance.now();
  await worker.take();
  expect(performance.now() - begun).toBeLessThan(3_000);
});
