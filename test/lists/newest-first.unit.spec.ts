import { FROM_START, MAX_WINDOWS, walk } from '../../src/lists/newest-first.js';

const WINDOW = { at: '2026-11-20T10:00:00.000000Z', key: 'ffffffff-ffff-4fff-8fff-ffffffffffff' };

/** Walks windows without a match, each of which takes so long. @returns how many were read. */
async function windowsOf(tookMs: number): Promise<number> {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  let windows = 0;
  const { positions, next } = await walk({ limit: 50 }, FROM_START, () => {
    windows += 1;
    now += tookMs;
    return Promise.resolve([{ ...WINDOW, matches: false, ends: true }]);
  });
  expect([positions, next]).toEqual([[], expect.objectContaining(WINDOW)]);
  return windows;
}

afterEach(() => jest.restoreAllMocks());

test.each([
  [1, MAX_WINDOWS],
  [200, 5],
  [400, 3],
  [5_000, 1],
])('a walk whose windows take %i ms reads %i of them, and says where to continue', async (took, windows) => {
  expect(await windowsOf(took)).toBe(windows);
});
