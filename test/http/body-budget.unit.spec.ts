import fc from 'fast-check';
import { expectMore } from '../support/compare.js';
import { BodyBudget, SLOW_MS } from '../../src/http/body-budget.js';

const LIMIT = 1_000;

function budgetOf(limit = LIMIT) {
  const ended: string[] = [];
  let now = 0;
  const budget = new BodyBudget(
    () => limit,
    () => now,
  );
  const pass = (ms: number) => void (now += ms);
  const open = (account: string, name = account) => budget.open(account, () => ended.push(name));
  return { budget, ended, open, pass };
}

test('one account may use half of it, two may use a third each', () => {
  const { budget, ended, open, pass } = budgetOf();
  open('a').take(500);
  pass(SLOW_MS);
  expect(ended).toEqual([]);
  const small = open('a', 'one more');
  small.take(1);
  expect(ended).toEqual(['a']);
  small.release();
  expect(budget.size).toBe(0);

  for (const account of ['a', 'b']) open(account).take(333);
  expect(ended).toEqual(['a']);
  expect(budget.size).toBe(666);
});

test('a body that finds no room among fast bodies is ended itself', () => {
  const { ended, open, pass } = budgetOf();
  open('a', 'fast').take(500);
  pass(SLOW_MS - 1);
  open('a', 'one more').take(1);
  expect(ended).toEqual(['one more']);
});

test('the oldest body that is still read is ended if it is slow, and only for its own account', () => {
  const { ended, open, pass } = budgetOf();
  open('other').take(10);
  const read = open('a', 'read');
  read.take(200);
  read.complete();
  open('a', 'slow').take(100);
  open('a', 'slower').take(100);
  pass(SLOW_MS);
  open('a', 'fast').take(190);
  expect(ended).toEqual(['slow']);
});

test('a body that finds no free memory among bodies being answered is ended itself', () => {
  const { budget, ended, open } = budgetOf();
  const read = open('a', 'read');
  read.take(500);
  read.complete();
  const next = open('a', 'next');
  next.take(1);
  expect(ended).toEqual(['next']);
  next.take(100);
  read.release();
  read.release();
  expect(budget.size).toBe(0);
});

test('the limit holds for any sequence, and a new account gets memory', () => {
  const step = fc.record({
    account: fc.nat(4),
    bytes: fc.nat(400),
    what: fc.constantFrom('open', 'take', 'complete', 'release'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { budget, open } = budgetOf();
      const holds = new Map<number, ReturnType<typeof open>[]>();
      for (const { account, bytes, what } of steps) {
        const own = holds.get(account) ?? [];
        holds.set(account, own);
        if (what === 'open') own.push(open(String(account)));
        else if (what === 'take') own.at(-1)?.take(bytes);
        else if (what === 'complete') own.at(-1)?.complete();
        else own.pop()?.release();
        expectMore(LIMIT, budget.size);
        expectMore(budget.size, -1);
      }
      let refused = false;
      budget.open('newcomer', () => (refused = true)).take(1);
      expect(refused).toBe(budget.size >= LIMIT);
      for (const hold of [...holds.values()].flat()) hold.release();
    }),
    { seed: 14, numRuns: 300 },
  );
});
