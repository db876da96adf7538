import { retryAfterMs } from '../../src/http/retry-after.js';

const NOW = Date.UTC(2026, 10, 27);
const LONGEST = 2_147_483_647;

test.each([
  [undefined, 1_000],
  ['0', 0],
  [' 120 ', 120_000],
  ['Fri, 27 Nov 2026 00:01:00 GMT', 60_000],
  ['Fri, 27 Nov 2020 00:01:00 GMT', 0],
  ['soon', 1_000],
  ['-1', 0],
])('%j is %d ms', (header, ms) => {
  expect(retryAfterMs(header, NOW)).toBe(ms);
});

test.each(['999999999', '9999999999', '9'.repeat(400), 'Fri, 27 Nov 9999 00:00:00 GMT'])(
  '%.40s is shortened, not ignored',
  (header) => {
    expect(retryAfterMs(header, NOW)).toBe(LONGEST);
  },
);
