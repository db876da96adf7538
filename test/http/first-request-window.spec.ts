import {
  FirstRequestWindow,
  MAX_ANSWER_WAIT_MS,
  MAX_UNANSWERED,
  UNANSWERED_GAP_MS,
} from '../../src/http/first-request-window.js';

const ADDRESS = '192.0.2.1';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  // Nothing is left to wait for.
  jest.advanceTimersByTime(MAX_ANSWER_WAIT_MS);
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

/** A window whose address has as many unanswered requests as it may have, and connections that wait. */
function fullWindow(waiting: number) {
  const window = new FirstRequestWindow(() => Date.now());
  for (let n = 0; n < MAX_UNANSWERED; n += 1) {
    expect(window.isOpen(ADDRESS)).toBe(true);
    window.begin(ADDRESS);
  }
  const begun: number[] = [];
  for (let n = 0; n < waiting; n += 1) window.wait(ADDRESS, () => begun.push(n));
  return { window, begun };
}

test('connections beyond the bound wait, those of other addresses do not', () => {
  const { window, begun } = fullWindow(2);
  expect(window.isOpen(ADDRESS)).toBe(false);
  expect(window.isOpen('192.0.2.2')).toBe(true);
  expect(begun).toEqual([]);
});

test('each answer lets one connection be read, in the order of their arrival', () => {
  const { window, begun } = fullWindow(3);
  window.end(ADDRESS);
  window.end(ADDRESS);
  expect(begun).toEqual([0, 1]);
  // A further connection does not overtake the one that waits.
  expect(window.isOpen(ADDRESS)).toBe(false);
  window.end(ADDRESS);
  expect(begun).toEqual([0, 1, 2]);
  expect(window.isOpen(ADDRESS)).toBe(true);
});

test('without answers, one connection is read in each interval', () => {
  const { begun } = fullWindow(3);
  jest.advanceTimersByTime(UNANSWERED_GAP_MS);
  expect(begun).toEqual([0]);
  jest.advanceTimersByTime(UNANSWERED_GAP_MS);
  expect(begun).toEqual([0, 1]);
});

test('without answers, no connection waits for more than a second', () => {
  const many = (2 * MAX_ANSWER_WAIT_MS) / UNANSWERED_GAP_MS;
  const { begun } = fullWindow(many);
  jest.advanceTimersByTime(MAX_ANSWER_WAIT_MS - 1);
  expect(begun.length).toBeLessThan(many);
  jest.advanceTimersByTime(1);
  expect(begun).toHaveLength(many);
});

test('connections without a request keep those behind them waiting only briefly', () => {
  const { window, begun } = fullWindow(8 * MAX_UNANSWERED);
  for (let n = 0; n < MAX_UNANSWERED; n += 1) window.end(ADDRESS);
  expect(begun).toHaveLength(MAX_UNANSWERED);
  jest.advanceTimersByTime(7 * UNANSWERED_GAP_MS);
  expect(begun).toHaveLength(8 * MAX_UNANSWERED);
  expect(window).toMatchObject({ unanswered: new Map(), waiting: new Map(), expected: new Map() });
});

test('nothing is kept of an address whose requests are answered', () => {
  const { window } = fullWindow(0);
  for (let n = 0; n < MAX_UNANSWERED; n += 1) window.end(ADDRESS);
  expect(window).toMatchObject({ unanswered: new Map(), waiting: new Map() });
});
