import { FailedAttempts } from '../../src/http/failed-attempts.js';

const LIMITS = { burst: 3, refillMs: 500 };
let now: number;
let attempts: FailedAttempts;

beforeEach(() => {
  now = 0;
  attempts = new FailedAttempts(LIMITS, () => now);
});

test('after the burst, each failure waits for the next permit', () => {
  expect([1, 2, 3].map(() => attempts.fail('a'))).toEqual([null, null, null]);
  expect(attempts.fail('a')).toBe(1);
  now += 499;
  expect(attempts.fail('a')).toBe(1);
  now += 1;
  expect(attempts.fail('a')).toBeNull();
  expect(attempts.fail('a')).toBe(1);
});

test('refused requests do not count, and a pause allows the burst again', () => {
  for (let i = 0; i < 100; i += 1) attempts.fail('a');
  now += 500;
  expect(attempts.fail('a')).toBeNull();
  now += 60_000;
  expect([1, 2, 3, 4].map(() => attempts.fail('a'))).toEqual([null, null, null, 1]);
});

test('Retry-After is long enough if failures are allowed every few seconds', () => {
  const slow = new FailedAttempts({ burst: 1, refillMs: 6_000 }, () => now);
  expect([slow.fail('a'), slow.fail('a')]).toEqual([null, 6]);
  now += 5_500;
  expect(slow.fail('a')).toBe(1);
});

test('each network has its own count in limited memory, and a failing one is kept', () => {
  for (let i = 0; i < 5; i += 1) attempts.fail('guesser');
  const answers = new Set<number | null>();
  for (let i = 0; i < 30_000; i += 1) {
    answers.add(attempts.fail(`network ${i}`));
    if (i % 5_000 === 0) expect(attempts.fail('guesser')).toBe(1);
  }
  expect([...answers]).toEqual([null]);
  expect(attempts.size).toBe(10_000);
  expect(attempts.fail('guesser')).toBe(1);
});
