import { GuessLimits, type Try } from '../../src/people/guess-limits.js';

/** A clock of its own, and tries of accounts from networks. */
class Guesses {
  now = 0;
  readonly limits = new GuessLimits(() => this.now);

  begin(account: string, network: string): Try | number {
    return this.limits.begin([`account ${account}`, `network ${network}`], account);
  }

  /** The seconds to wait, or 0 where the password was looked at and was wrong. */
  fail(account = 'ada', network = 'home'): number {
    const attempt = this.begin(account, network);
    if (typeof attempt === 'number') return attempt;
    attempt.wrong();
    return 0;
  }

  succeed(account = 'ada', network = 'home'): number {
    const attempt = this.begin(account, network);
    if (typeof attempt === 'number') return attempt;
    attempt.right();
    return 0;
  }

  failTimes(times: number, account?: string, network?: string): number[] {
    return Array.from({ length: times }, () => this.fail(account, network));
  }
}

test('ten failures are free, and then tries wait for a second, and twice as long after each, up to a minute', () => {
  const guesses = new Guesses();
  expect(guesses.failTimes(10)).toEqual(Array.from({ length: 10 }, () => 0));
  const waits: number[] = [];
  for (let failure = 0; failure < 9; failure += 1) {
    const seconds = guesses.succeed();
    waits.push(seconds);
    guesses.now += seconds * 1_000 - 1;
    expect(guesses.fail()).toBe(1);
    guesses.now += 1;
    expect(guesses.fail()).toBe(0);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

test('the right password too waits, and then is let in at once, and ends the row', () => {
  const guesses = new Guesses();
  guesses.failTimes(12);
  expect(guesses.succeed()).toBe(1);
  guesses.now += 1_000;
  expect(guesses.succeed()).toBe(0);
  expect(guesses.failTimes(10)).toEqual(Array.from({ length: 10 }, () => 0));
  expect(guesses.fail()).toBe(1);
});

test('an account is counted across networks, and a network across accounts', () => {
  const guesses = new Guesses();
  for (let index = 0; index < 10; index += 1) expect(guesses.fail('ada', `net-${index}`)).toBe(0);
  expect(guesses.fail('ada', 'net-new')).toBe(1);
  expect(guesses.fail('bob', 'net-new')).toBe(0);
  for (let index = 0; index < 10; index += 1) expect(guesses.fail(`person-${index}`, 'office')).toBe(0);
  expect(guesses.succeed('carol', 'office')).toBe(1);
});

test('who guesses at others does not end the row of a network by signing in to an own account', () => {
  const guesses = new Guesses();
  for (let index = 0; index < 10; index += 1) {
    expect(guesses.fail(`victim-${index}`, 'office')).toBe(0);
    if (index < 9) expect(guesses.succeed('own', 'office')).toBe(0);
  }
  expect(guesses.fail('another', 'office')).toBe(1);
});

test('tries at once are counted before their passwords are looked at', () => {
  const guesses = new Guesses();
  const begun = Array.from({ length: 50 }, () => guesses.begin('ada', 'home'));
  expect(begun.filter((attempt) => typeof attempt !== 'number')).toHaveLength(10);
  for (const attempt of begun) if (typeof attempt !== 'number') attempt.canceled();
  expect(guesses.succeed()).toBe(0);
});

test('the counts are bounded in number, and forgotten an hour after the last failure', () => {
  const guesses = new Guesses();
  guesses.failTimes(10);
  guesses.now += 3_600_001;
  expect(guesses.failTimes(10)).toEqual(Array.from({ length: 10 }, () => 0));
  for (let index = 0; index < 15_000; index += 1) guesses.fail(`a-${index}`, `n-${index}`);
  expect(guesses.limits.size).toBe(20_000);
});
