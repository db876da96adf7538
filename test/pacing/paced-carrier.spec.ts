import { Redis } from 'ioredis';
import { PacedCarrier } from '../../src/pacing/paced-carrier.js';
import { MARGIN_MS, PacingStoppedError, type Slot } from '../../src/pacing/slot.js';
import { HORIZON_MS, RedisSlots } from '../../src/pacing/redis-slots.js';
import { testRedisPrefix, testRedisUrl } from '../support/redis.js';
import { watchStalls } from '../support/stalls.js';

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

interface Dialed {
  /** The instants of the dials, sorted. */
  dials: number[];
  /** Dials that this process was held up before, and whose successor could not be moved any more: each is one too many. */
  unavoidable: number;
  /** Milliseconds for which the machine was busy with other things. */
  stalledMs: number;
}

/** Dials through `workers` as fast as they let it. */
async function dial(
  workers: PacedCarrier[],
  count: number,
  claim = () => Promise.resolve(),
): Promise<Dialed> {
  const dials: number[] = [];
  let unavoidable = 0;
  const stalled = watchStalls(redis);
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
      if (arrived && !(await worker.dialed(arrived))) unavoidable += 1;
    }),
  );
  return { dials: dials.sort((a, b) => a - b), unavoidable, stalledMs: await stalled() };
}

/** Calls a second in the time that the machine left. A stall costs what it lasted, and the slots that passed meanwhile. */
const rateOf = ({ dials, stalledMs }: Dialed) =>
  ((dials.length - 1) / ((dials.at(-1) ?? 0) - (dials[0] ?? 0) - 2 * stalledMs)) * 1_000;

function expectLimit({ dials, unavoidable }: Dialed, limit: number): void {
  expect(mostInOneSecond(dials)).toBeLessThanOrEqual(limit + unavoidable);
}

function expectRate(dialed: Dialed, atLeast: number): void {
  const rate = rateOf(dialed);
  // A machine that was busy with other things for half of the time tells nothing.
  if (rate > 0 && Number.isFinite(rate)) expect(rate).toBeGreaterThan(atLeast);
}

test.each([[20], [100]])(
  '%i a second from three workers: never more in any second, and hardly fewer',
  async (limit) => {
    const dialed = await dial([carrier(limit), carrier(limit), carrier(limit)], limit * 4);
    expectLimit(dialed, limit);
    // A late claim loses its slot; `npm run bench:herd` measures how many.
    expectRate(dialed, limit * 0.85);
  },
);

test('slots gathered during a pause are not dialed at once after it', async () => {
  const worker = carrier(50);
  await dial([worker], 10);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expectLimit(await dial([worker], 75), 50);
});

test('claims of every length keep the limit, and are begun early enough once their length is known', async () => {
  let turn = 0;
  const claim = () => new Promise<void>((resolve) => setTimeout(resolve, 5 + ((turn += 7) % 30)));
  const workers = [carrier(50), carrier(50)];
  await dial(workers, 100, claim);
  const dialed = await dial(workers, 150, claim);
  expectLimit(dialed, 50);
  expectRate(dialed, 40);
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
  const asked: { withinMs: number; tookMs: number }[] = [];
  const worker = new PacedCarrier(1, {
    take: async (intervalMs, wanted) => away(near.take(intervalMs, wanted)),
    dialLate: async (slot, withinMs) => {
      const begun = performance.now();
      const answer = await away(near.dialLate(slot, withinMs));
      asked.push({ withinMs, tookMs: performance.now() - begun });
      return answer;
    },
  });
  const agreed = (await worker.arrive(await worker.take(), performance.now() + 5_000)) as Slot;
  const dialed = performance.now();
  expect(agreed.latest).toBeGreaterThan(dialed);
  // Each but the last was answered too late, and the next one held for twice as long.
  for (const [n, { withinMs, tookMs }] of asked.slice(0, -1).entries()) {
    expect(tookMs).toBeGreaterThan(withinMs - 2 * MARGIN_MS);
    expect(asked[n + 1]?.withinMs).toBe(2 * withinMs);
  }
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
  const late = performance.now();
  expect(await slots.dialLate(0, 6)).toBe(true);
  // The lane's next slot is within the horizon then, whenever the machine got here.
  await new Promise((resolve) => setTimeout(resolve, 10));
  // Redis looked at its clock between the question and the answer.
  const later: { number: number; ms: number; from: number; to: number }[] = [];
  while (later.length < 7) {
    const asked = performance.now();
    const got = await taken();
    const answered = performance.now();
    for (const { number, ms } of got) later.push({ number, ms, from: asked + ms, to: answered + ms });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const slot = (number: number) => later.find((one) => one.number === number);
  // Slots 4 and 8 are of the lane of slot 0, slot 5 is not.
  expect(slot(4)?.to).toBeGreaterThan(late + 1_000);
  expect(slot(8)?.to).toBeGreaterThan((slot(4)?.from ?? NaN) + 1_000);
  expect(slot(5)?.ms).toBeLessThanOrEqual(HORIZON_MS + 1);
  expect(await slots.dialLate(0, 6)).toBe(false);
  expect(await slots.dialLate(900, 6)).toBe(false);
});
