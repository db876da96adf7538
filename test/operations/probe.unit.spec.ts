import { Probe } from '../../src/operations/probe.js';

const LIMITS = { timeoutMs: 50, maxAgeMs: 0 };
const failing = (error: Error): never => {
  throw error;
};

test('repeats a failed check, also one that threw synchronously', async () => {
  let broken = true;
  const probe = new Probe(() => (broken ? failing(new Error('down')) : Promise.resolve('up')), LIMITS);
  expect((await probe.ask()).kind).toBe('failed');
  broken = false;
  expect(await probe.ask()).toEqual({ kind: 'ok', value: 'up' });
});

test('runs one check at a time, and answers each further request in time', async () => {
  let runs = 0;
  let answer: (value: string) => void = () => undefined;
  const probe = new Probe(() => {
    runs += 1;
    return new Promise<string>((resolve) => (answer = resolve));
  }, LIMITS);
  const asked = await Promise.all([probe.ask(), probe.ask(), probe.ask()]);
  expect([runs, asked.map(({ kind }) => kind)]).toEqual([1, ['silent', 'silent', 'silent']]);
  const late = probe.ask();
  answer('at last');
  expect([runs, await late]).toEqual([1, { kind: 'ok', value: 'at last' }]);
});

test('reuses a result for a limited time', async () => {
  let runs = 0;
  const probe = new Probe(() => Promise.resolve((runs += 1)), { timeoutMs: 50, maxAgeMs: 60_000 });
  expect([await probe.ask(), await probe.ask(), runs]).toEqual([
    { kind: 'ok', value: 1 },
    { kind: 'ok', value: 1 },
    1,
  ]);
});
