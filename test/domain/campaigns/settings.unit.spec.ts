import { parsePacing, parseReentry } from '../../../src/domain/campaigns/definition/parse-settings.js';
import { valueOf } from './support/definitions.js';

const pathOf = (parsed: { ok: boolean; message?: string }) => parsed.message?.split(' ')[0];

describe('pacing', () => {
  test('all optional, null = no limit', () => {
    const none = { maxConcurrentCalls: null, callsPerMinute: null, weight: 1 };
    for (const input of [null, undefined, {}, { maxConcurrentCalls: null, weight: null }]) {
      expect(valueOf(parsePacing(input))).toEqual(none);
    }
    const all = { maxConcurrentCalls: 10, callsPerMinute: 60, weight: 100 };
    expect(valueOf(parsePacing(all))).toEqual(all);
  });

  test.each([
    [{ weight: 0 }, 'pacing.weight'],
    [{ weight: 101 }, 'pacing.weight'],
    [{ weight: 1.5 }, 'pacing.weight'],
    [{ callsPerMinute: 0 }, 'pacing.callsPerMinute'],
    [{ maxConcurrentCalls: '10' }, 'pacing.maxConcurrentCalls'],
    [{ perSecond: 1 }, 'pacing.perSecond'],
    [[], 'pacing'],
  ])('%j is refused, naming %s', (input, path) => expect(pathOf(parsePacing(input))).toBe(path));
});

describe('reentry', () => {
  test('the default is one entry; null in an object is no limit', () => {
    expect(valueOf(parseReentry(null))).toEqual({ maxEntries: 1, minInterval: null });
    expect(valueOf(parseReentry({ maxEntries: null }))).toEqual({ maxEntries: null, minInterval: null });
    expect(valueOf(parseReentry({ maxEntries: 3, minInterval: 'P30D' }))).toEqual({
      maxEntries: 3,
      minInterval: { days: 30, elapsedMs: 0 },
    });
  });

  test.each([
    [{ maxEntries: 0 }, 'reentry.maxEntries'],
    [{ minInterval: '30 days' }, 'reentry.minInterval'],
    [{ every: 'P1D' }, 'reentry.every'],
    [1, 'reentry'],
  ])('%j is refused, naming %s', (input, path) => expect(pathOf(parseReentry(input))).toBe(path));
});
