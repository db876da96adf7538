import { Redis } from 'ioredis';
import { PacedCarrier } from '../../src/pacing/paced-carrier.js';
import { PacingStoppedError, type Slot } from '../../src/pacing/slot.js';
import { RedisSlots } from '../../src/pacing/redis-slots.js';
import { testRedisPrefix, testRedisUrl } from '../support/redis.js';

let redis: Redis;
let key: string;

beforeAll(() => {
  redis = new Redis(testRedisUrl());
});
afterAll(() => redis.quit());
beforeEach(() => {
  key = `${testRedisPrefix()}:slots`;
});
afterEach(() => redis.del(key));

const carrier = (callsPerSecond: number) =>
  new PacedCarrier(callsPerSecond, new RedisSlots(redis, key, callsPerSecond));

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
      const arrived = await worker.arrive(slot, performance.now() + 5_000);
      // At once: whatever comes before it on a busy machine would count as late.
      dials.push(performance.now());
      expect(arrived).not.toBeNull();
      if (arrived) await worker.dialed(arrived);
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
  expect(await worker.arrive(slot, performance.now() + 4_000)).not.toBeNull();
  const arrived = performance.now();
  const later = await others;
  expect(arrived).toBeLessThan(later.at(-1)?.earliest ?? 0);
});

test('a process held up between its slot and the dial moves the next dial of the lane', async () => {
  const worker = carrier(1);
  const slot = await worker.take();
  const agreed = (await worker.arrive(slot, performance.now() + 5_000)) as Slot;
  const heldUp = performance.now() + 150;
  while (performance.now() < heldUp);
  const dialed = performance.now();
  await worker.dialed(agreed);
  const next = await worker.take();
  expect(next.earliest - dialed).toBeGreaterThan(1_000);
});

test('a Redis that is far away is asked for a word that holds long enough to hear it', async () => {
  const near = new RedisSlots(redis, key, 1);
  const away = <T>(answer: Promise<T>) =>
    new Promise<void>((resolve) => setTimeout(resolve, 20)).then(() => answer);
  const asked: number[] = [];
  const worker = new PacedCarrier(1, {
    take: async (intervalMs, wanted) => away(near.take(intervalMs, wanted)),
    dialLate: async (slot, withinMs) => {
      asked.push(withinMs);
      return away(near.dialLate(slot, withinMs));
    },
  });
  const agreed = (await worker.arrive(await worker.take(), performance.now() + 5_000)) as Slot;
  const dialed = performance.now();
  expect(agreed.latest).toBeGreaterThan(dialed);
  expect(asked.length).toBeLessThan(6);
  const next = await worker.take();
  expect(next.earliest - dialed).toBeGreaterThan(1_000);
});

test('who cannot be dialed in time is told so', async () => {
  const worker = carrier(1);
  await worker.take();
  const slot = await worker.take();
  expect(await worker.arrive(slot, performance.now() + 300)).toBeNull();
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
  await redis.hset(key, { at: String((Date.now() + 3_600_000) * 1_000), next: '7' });
  const worker = carrier(50);
  const begun = performance.now();
  await worker.take();
  expect(performance.now() - begun).toBeLessThan(3_000);
});

test('a late dial moves the next one of its lane, and where somebody has that it is refused', async () => {
  const slots = new RedisSlots(redis, key, 4);
  const taken = async (wanted = 1) => {
    const got = await slots.take(251.5, wanted);
    return Array.isArray(got) ? got : [];
  };
  const first = await taken(2);
  expect(first.map(({ number }) => number)).toEqual([0, 1]);
  await new Promise((resolve) => setTimeout(resolve, 350));
  expect(await slots.dialLate(0, 6)).toBe(true);
  const late = performance.now();
  const later: { number: number; at: number }[] = [];
  while (later.length < 7) {
    for (const { number, ms } of await taken()) later.push({ number, at: performance.now() + ms - late });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const atOf = (slot: number) => later.find(({ number }) => number === slot)?.at ?? NaN;
  // Slots 4 and 8 are of the lane of slot 0, slot 5 is not.
  expect(atOf(4)).toBeGreaterThan(1_000);
  expect(atOf(8)).toBeGreaterThan(atOf(4) + 1_000);
  expect(atOf(5)).toBeLessThan(atOf(4) + 251.5);
  expect(await slots.dialLate(0, 6)).toBe(false);
  expect(await slots.dialLate(900, 6)).toBe(false);
});
