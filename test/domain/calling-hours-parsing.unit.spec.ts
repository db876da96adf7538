import { parseCallingHours, parseClosedDates } from '../../src/domain/calling-hours.js';

const monday = (...windows: unknown[]) => ({ monday: windows });
const nine = { start: '09:00', end: '17:00' };

describe('parseCallingHours', () => {
  test.each([
    ['null, any time', null],
    ['several windows a day', monday(nine, { start: '18:00', end: '19:30' })],
    ['a window across midnight', monday({ start: '22:00', end: '02:00' })],
    ['the whole day', monday({ start: '00:00', end: '24:00' })],
    ['an evening until 00:00', monday({ start: '18:00', end: '00:00' })],
    ['the last minute', monday({ start: '23:59', end: '24:00' })],
    ['a weekday without windows beside one with', { monday: [nine], sunday: [] }],
  ])('accepts %s, unchanged', (_, input) => {
    expect(parseCallingHours(input)).toEqual({ ok: true, value: input });
  });

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'callingHours must be'],
    ['a text', '09:00-17:00', 'callingHours must be'],
    ['an array', [nine], 'callingHours must be'],
    ['no weekday', {}, 'callingHours never open'],
    ['weekdays without windows', { monday: [], friday: [] }, 'callingHours never open'],
    ['an unknown weekday', { Monday: [nine] }, 'callingHours has an unknown weekday "Monday"'],
    ['a weekday that is no array', { monday: nine }, 'callingHours.monday must be an array'],
    ['null for a weekday', { monday: null }, 'callingHours.monday must be an array'],
    ['too many windows', { monday: Array(21).fill(nine) }, 'callingHours.monday must have at most 20'],
    ['a window that is null', monday(nine, null), 'callingHours.monday[1] must be an object'],
    ['a window that is an array', monday(['09:00', '17:00']), 'callingHours.monday[0] must be an object'],
    [
      'an unknown key',
      monday({ ...nine, timezone: 'UTC' }),
      'callingHours.monday[0] has an unknown key "timezone"',
    ],
    ['no start', monday({ end: '17:00' }), 'callingHours.monday[0].start'],
    ['no end', monday({ start: '09:00' }), 'callingHours.monday[0].end'],
    ['a start of 24:00', monday({ start: '24:00', end: '02:00' }), 'callingHours.monday[0].start'],
    ['an end after 24:00', monday({ start: '09:00', end: '24:01' }), 'callingHours.monday[0].end'],
    ['one digit', monday({ start: '9:00', end: '17:00' }), 'callingHours.monday[0].start'],
    ['seconds', monday({ start: '09:00', end: '17:00:00' }), 'callingHours.monday[0].end'],
    ['sixty minutes', monday({ start: '09:60', end: '17:00' }), 'callingHours.monday[0].start'],
    ['digits of another script', monday({ start: '٠٩:٠٠', end: '17:00' }), 'callingHours.monday[0].start'],
    ['a line end', monday({ start: '09:00\n', end: '17:00' }), 'callingHours.monday[0].start'],
    ['a number', monday({ start: 900, end: '17:00' }), 'callingHours.monday[0].start'],
    [
      'an end equal to the start',
      monday({ start: '09:00', end: '09:00' }),
      'callingHours.monday[0].end must differ',
    ],
    ['00:00 to 00:00', monday({ start: '00:00', end: '00:00' }), 'callingHours.monday[0].end must differ'],
    ['__proto__ as a weekday', JSON.parse('{"__proto__": []}') as unknown, 'unknown weekday "__proto__"'],
  ])('refuses %s, saying where', (_, input, message) => {
    expect(parseCallingHours(input)).toEqual({
      ok: false,
      message: expect.stringContaining(message) as string,
    });
  });

  test('does not repeat a very long key', () => {
    const parsed = parseCallingHours({ ['x'.repeat(100_000)]: [] });
    expect(!parsed.ok && parsed.message.length).toBeLessThan(100);
  });

  test('returns a copy of the object', () => {
    const window = { ...nine };
    const parsed = parseCallingHours(monday(window));
    window.start = '00:00';
    expect(parsed).toEqual({ ok: true, value: monday(nine) });
  });
});

describe('parseClosedDates', () => {
  test('sorts dates and removes duplicates', () => {
    expect(parseClosedDates(['2026-12-25', '2026-01-01', '2026-12-25'])).toEqual({
      ok: true,
      value: ['2026-01-01', '2026-12-25'],
    });
    expect(parseClosedDates([])).toEqual({ ok: true, value: [] });
  });

  test('accepts 29 February in leap years only', () => {
    expect(parseClosedDates(['2028-02-29']).ok).toBe(true);
    expect(parseClosedDates(['2100-02-29']).ok).toBe(false);
  });

  test.each<[string, unknown, string]>([
    ['a text', '2026-12-25', 'closedDates must be an array'],
    ['null', null, 'closedDates must be an array'],
    ['30 February', ['2026-01-01', '2026-02-30'], 'closedDates[1]'],
    ['31 April', ['2026-04-31'], 'closedDates[0]'],
    ['a 13th month', ['2026-13-01'], 'closedDates[0]'],
    ['day zero', ['2026-01-00'], 'closedDates[0]'],
    ['a time', ['2026-12-25T00:00:00Z'], 'closedDates[0]'],
    ['another order', ['25-12-2026'], 'closedDates[0]'],
    ['a year of six digits', ['+002026-12-25'], 'closedDates[0]'],
    ['a number', [20261225], 'closedDates[0]'],
    ['more than a thousand', Array(1001).fill('2026-12-25'), 'closedDates must have at most 1000'],
  ])('refuses %s, saying where', (_, input, message) => {
    expect(parseClosedDates(input)).toEqual({
      ok: false,
      message: expect.stringContaining(message) as string,
    });
  });
});
