import { Redis } from 'ioredis';
import { PacedCarrier } from '../../src/pacing/paced-carrier.js';
import { HORIZON_MS, RedisPacingSlots } from '../../src/pacing/redis-slots.js';
import { PacingStoppedError, type PacingSlot } from '../../src/pacing/pacer.js';
import { MARGIN_MS, TOLERANCE_MS } from '../../src/pacing/slot.js';
import { MovedClock } from '../support/moved-clock.js';
import { testRedisPrefix, testRedisUrl } from '../support/redis.js';

/*
 * Redis is real; its time and that of the workers is moved, so that nothing depends on what else the machine
 * does.
 */

/** How far Redis' clock is ahead of the workers'. */
const AHEAD_MS = 1_234_567;

let redis: Redis;
let key: string;
let clock: MovedClock;

beforeAll(() => {
  redis = new Redis(testRedisUrl());
});
afterAll(() => redis.quit());
beforeEach(() => {
  key = `${testRedisPrefix()}:slots`;
  clock = new MovedClock();
});
afterEach(() => redis.del(key));

type Command = (...values: unknown[]) => Promise<unknown>;

/** Pacing slots by the moved clock. @param awayMs how long each answer of Redis takes. */
function slotsOf(callsPerSecond: number, awayMs = 0): RedisPacingSlots {
  const timed = (name: string): { value: Command } => ({
    value: async (...values) => {
      if (awayMs > 0) await clock.sleep(awayMs / 2);
      const now = Math.round((clock.now() + AHEAD_MS) * 1_000);
      const command = Reflect.get(redis, name) as Command;
      const answer = await clock.during(() => command.call(redis, ...values, now));
      if (awayMs > 0) await clock.sleep(awayMs / 2);
      return answer;
    },
  });
  const connection = Object.create(redis, {
    defineCommand: { value: redis.defineCommand.bind(redis) },
    outdialTakePacingSlots: timed('outdialTakePacingSlots'),
    outdialDialLate: timed('outdialDialLate'),
  }) as Redis;
  return new RedisPacingSlots(connection, key, callsPerSecond);
}

const carrier = (callsPerSecond: number, awayMs = 0) =>
  new PacedCarrier(callsPerSecond, slotsOf(callsPerSecond, awayMs), clock);

/** The most of these instants (ms) within any one second. */
function mostInOneSecond(instants: number[]): number {
  return Math.max(
    ...instants.map((start) => instants.filter((at) => at >= start && at < start + 1_000).length),
  );
}

/** Dials through `workers` as fast as they let it. @returns the instants of the dials, sorted. */
async function dial(workers: PacedCarrier[], count: number, claim = () => 5): Promise<number[]> {
  const dials: number[] = [];
  const dialOne = async (worker: PacedCarrier) => {
    const slot = await worker.take();
    await worker.approach(slot);
    await clock.sleep(claim());
    const arrived = await worker.arrive(slot, clock.now() + 5_000);
    dials.push(clock.now());
    expect(arrived).not.toBeNull();
    expect(arrived && (await worker.dialed(arrived))).toBe(true);
  };
  const dialing = Array.from({ length: count }, (_, n) =>
    dialOne(workers[n % workers.length] as PacedCarrier),
  );
  await clock.run(Promise.all(dialing));
  return dials.sort((a, b) => a - b);
}

/** Calls a second. */
const rateOf = (dials: number[]) => ((dials.length - 1) / ((dials.at(-1) ?? 0) - (dials[0] ?? 0))) * 1_000;

test.each([[1], [20], [100]])(
  '%i a second from three workers: the limit holds in every second, and is nearly reached',
  async (limit) => {
    const dials = await dial([carrier(limit), carrier(limit), carrier(limit)], limit * 4 + 2);
    expect(mostInOneSecond(dials)).toBeLessThanOrEqual(limit);
    expect(rateOf(dials)).toBeGreaterThan(limit * 0.97);
  },
);

test('pacing slots unused during a pause are not dialed in a burst after it', async () => {
  const worker = carrier(50);
  await dial([worker], 10);
  await clock.run(clock.sleep(1_500));
  expect(mostInOneSecond(await dial([worker], 75))).toBeLessThanOrEqual(50);
});

test('claims of any duration keep the limit, and start early enough after their duration is known', async () => {
  let drawn = 0;
  const claim = () => 5 + ((drawn += 7) % 30);
  const workers = [carrier(50), carrier(50)];
  await dial(workers, 100, claim);
  const dials = await dial(workers, 150, claim);
  expect(mostInOneSecond(dials)).toBeLessThanOrEqual(50);
  expect(rateOf(dials)).toBeGreaterThan(47);
});

test('a claim that took too long gets a later pacing slot, before calls without a claim', async () => {
  const worker = carrier(10);
  const slot = await clock.run(worker.take());
  await clock.run(worker.approach(slot));
  const others = Promise.all(Array.from({ length: 30 }, () => worker.take()));
  const late = clock.sleep(400).then(() => worker.arrive(slot, clock.now() + 4_000));
  const arrived = late.then((agreed) => ({ agreed, at: clock.now() }));
  const [{ agreed, at }, later] = await clock.run(Promise.all([arrived, others]));
  expect(agreed).not.toBeNull();
  expect(at).toBeLessThan(later.at(-1)?.earliest ?? 0);
});

test('a process that is delayed between pacing slot and dial moves the next dial of the lane', async () => {
  const worker = carrier(1);
  const slot = await clock.run(worker.take());
  const agreed = (await clock.run(worker.arrive(slot, clock.now() + 5_000))) as PacingSlot;
  await clock.run(clock.sleep(150));
  const dialed = clock.now();
  expect(await clock.run(worker.dialed(agreed))).toBe(true);
  const next = await clock.run(worker.take());
  expect(next.earliest - dialed).toBeGreaterThanOrEqual(1_000);
});

test('a slow Redis is asked for pacing slots further ahead', async () => {
  const far = slotsOf(1, 20);
  const asked: number[] = [];
  const worker = new PacedCarrier(
    1,
    {
      take: (intervalMs, wanted) => far.take(intervalMs, wanted),
      dialLate: (slot, withinMs) => {
        asked.push(withinMs);
        return far.dialLate(slot, withinMs);
      },
    },
    clock,
  );
  const slot = await clock.run(worker.take());
  const agreed = (await clock.run(worker.arrive(slot, clock.now() + 5_000))) as PacingSlot;
  const dialed = clock.now();
  expect(agreed.latest).toBeGreaterThan(dialed);
  // The answer takes 20 ms: the first agreement that is still valid then, with its margin.
  expect(asked).toEqual([TOLERANCE_MS, 2 * TOLERANCE_MS, 4 * TOLERANCE_MS]);
  expect(4 * TOLERANCE_MS - MARGIN_MS).toBeGreaterThan(20);
  const next = await clock.run(worker.take());
  expect(next.earliest - dialed).toBeGreaterThan(1_000);
});

test('a call that cannot be dialed in time gets no pacing slot', async () => {
  const worker = carrier(1);
  await clock.run(worker.take());
  const slot = await clock.run(worker.take());
  expect(await clock.run(worker.arrive(slot, clock.now() + 300))).toBeNull();
});

test('a returned pacing slot is given to the next call', async () => {
  const worker = carrier(1);
  await clock.run(worker.take());
  const slot = await clock.run(worker.take());
  worker.release(slot);
  expect(await clock.run(worker.take())).toBe(slot);
});

test('after a stop only claimed calls get a pacing slot', async () => {
  const worker = carrier(1);
  await clock.run(worker.take());
  const waiting = [worker.take(), worker.take(), worker.take()];
  worker.stop();
  const settled = await clock.run(Promise.allSettled(waiting));
  for (const one of settled) expect(one).toMatchObject({ reason: expect.any(PacingStoppedError) as unknown });
  await expect(worker.take()).rejects.toThrow(PacingStoppedError);
});

test('a clock that is set back does not stop the carrier', async () => {
  await redis.hset(key, { at: String((clock.now() + AHEAD_MS + 3_600_000) * 1_000), next: '7' });
  const worker = carrier(50);
  const begun = clock.now();
  await clock.run(worker.take());
  expect(clock.now() - begun).toBeLessThan(3_000);
});

test('a late dial moves the next dial of its lane, or is refused if that pacing slot is taken', async () => {
  const slots = slotsOf(4);
  const taken = async (wanted = 1) => {
    const got = await clock.run(slots.take(251.5, wanted));
    return Array.isArray(got) ? got : [];
  };
  const first = await taken(2);
  expect(first.map(({ number }) => number)).toEqual([0, 1]);
  await clock.run(clock.sleep(350));
  const late = clock.now();
  expect(await clock.run(slots.dialLate(0, 6))).toBe(true);
  const later = new Map<number, { ms: number; at: number }>();
  while (later.size < 7) {
    for (const { number, ms } of await taken()) later.set(number, { ms, at: clock.now() + ms });
    await clock.run(clock.sleep(20));
  }
  // Pacing slots 4 and 8 are of the lane of pacing slot 0, pacing slot 5 is not.
  expect(later.get(4)?.at).toBeGreaterThan(late + 1_000);
  expect(later.get(8)?.at).toBeGreaterThan((later.get(4)?.at ?? NaN) + 1_000);
  expect(later.get(5)?.ms).toBeLessThanOrEqual(HORIZON_MS + 1);
  expect(await clock.run(slots.dialLate(0, 6))).toBe(false);
  expect(await clock.run(slots.dialLate(900, 6))).toBe(false);
});
