import { PeriodicLoop } from '../../src/loops/periodic-loop.js';

const PAUSE_MS = 1_000;

let runs: number;
let finish: () => void;
let loop: PeriodicLoop;

beforeEach(() => {
  jest.useFakeTimers();
  runs = 0;
  loop = new PeriodicLoop(() => {
    runs += 1;
    return new Promise((resolve) => (finish = resolve));
  }, PAUSE_MS);
});
afterEach(async () => {
  finish?.();
  await loop.stop();
  jest.useRealTimers();
});

/** The run that is under way ends. */
async function finished(): Promise<void> {
  finish();
  await jest.advanceTimersByTimeAsync(0);
}

test('runs after each pause', async () => {
  await jest.advanceTimersByTimeAsync(PAUSE_MS - 1);
  expect(runs).toBe(0);
  await jest.advanceTimersByTimeAsync(1);
  expect(runs).toBe(1);
  await finished();
  await jest.advanceTimersByTimeAsync(PAUSE_MS);
  expect(runs).toBe(2);
});

test('several requests lead to one run, almost at once', async () => {
  for (let n = 0; n < 100; n += 1) loop.runSoon();
  await jest.advanceTimersByTimeAsync(PAUSE_MS / 10);
  expect(runs).toBe(1);
  await finished();
  await jest.advanceTimersByTimeAsync(PAUSE_MS - 1);
  expect(runs).toBe(1);
});

test('a request during a run leads to another run after it', async () => {
  loop.runSoon();
  await jest.advanceTimersByTimeAsync(PAUSE_MS / 10);
  loop.runSoon();
  loop.runSoon();
  await jest.advanceTimersByTimeAsync(PAUSE_MS / 10);
  expect(runs).toBe(1);
  await finished();
  await jest.advanceTimersByTimeAsync(PAUSE_MS / 10);
  expect(runs).toBe(2);
});

test('a stopped loop does not run, also when a run is requested', async () => {
  await loop.stop();
  loop.runSoon();
  await jest.advanceTimersByTimeAsync(2 * PAUSE_MS);
  expect(runs).toBe(0);
});
