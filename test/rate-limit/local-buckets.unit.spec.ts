import { LocalBuckets } from '../../src/rate-limit/local-buckets.js';

let now: number;
let buckets: LocalBuckets;

beforeEach(() => {
  // Of a process that has run for ten days.
  now = 864_000_123.456;
  buckets = new LocalBuckets(() => now);
});

const passed = (requests: number, rate: number, bucket = 'a') =>
  Array.from({ length: requests }, () => buckets.take(bucket, rate)).filter((wait) => wait < 0).length;

test.each([1, 3, 7, 333, 1_000, 6_999, 100_000])('at one instant one second’s worth passes: %d', (rate) => {
  expect(passed(rate + 50, rate)).toBe(rate);
  const wait = buckets.take('a', rate);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(1_000 / rate + 0.01);
  expect(passed(rate + 50, rate, 'b')).toBe(rate);
});

test('tokens return with time, up to one second’s worth', () => {
  passed(20, 10);
  now += 100;
  expect(passed(5, 10)).toBe(1);
  now += 440;
  expect(passed(10, 10)).toBe(4);
  now += 3_600_000;
  expect(passed(30, 10)).toBe(10);
});

test('a taken token says when the bucket will be full again', () => {
  for (const taken of [1, 2, 3]) expect(buckets.take('a', 10)).toBeCloseTo(-100 * taken, 3);
  now += 250;
  expect(buckets.take('a', 10)).toBeCloseTo(-150, 3);
});

test('memory is limited', () => {
  for (let i = 0; i < 25_000; i += 1) buckets.take(`key ${i}`, 1);
  expect(buckets.size).toBe(10_000);
});
