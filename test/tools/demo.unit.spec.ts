import { including, mismatches, oneOf, UUID } from '../../tools/demo/expectation.js';
import { closedNow, openingSoon, openNow } from '../../tools/demo/hours.js';
import { readableJson } from '../../tools/demo/terminal.js';
import { expectEqual, expectMore, expectSame } from '../support/compare.js';
import { isOpen, nextOpening } from '../../src/domain/calling-hours.js';

test('equal values have no mismatches', () => {
  const actual = {
    success: true,
    id: '0198c7a2-5b0e-7d7c-9a55-0d6a3f1f2b10',
    message: 'is on the list',
    tags: ['a'],
  };
  expect(mismatches({ success: true, id: UUID, message: /the list/, tags: ['a'] }, actual)).toEqual([]);
  expect(mismatches(including({ success: true }), actual)).toEqual([]);
  expect(mismatches(including({ tags: [oneOf('a', 'b')] }), actual)).toEqual([]);
});

test('each mismatch has its path, and the expected and the received value', () => {
  const actual = { status: 200, body: { success: false, extra: 1, tags: ['c'] } };
  const expected = { status: 500, body: { success: false, reason: 'DO_NOT_CALL', tags: [oneOf('a', 'b')] } };
  expect(mismatches(expected, actual)).toEqual([
    'status: expected 500, got 200',
    'body.reason: expected "DO_NOT_CALL", got nothing',
    'body.tags[0]: expected one of a, b, got "c"',
    'body.extra: expected nothing, got 1',
  ]);
  expect(mismatches([1, 2], [1])).toEqual(['it: expected a list of 2, got [1]']);
  expect(mismatches({ id: UUID }, null)).toEqual(['it: expected an object, got null']);
});

test('short JSON stays on one line, and long JSON is wrapped', () => {
  expect(readableJson({ a: 1, b: [true, null], c: {}, d: [] })).toBe(
    '{ "a": 1, "b": [true, null], "c": {}, "d": [] }',
  );
  const long = { text: 'x'.repeat(110), items: [{ a: 1 }] };
  expect(readableJson(long)).toBe(`{\n  "text": "${long.text}",\n  "items": [{ "a": 1 }]\n}`);
  expect(JSON.parse(readableJson(long))).toEqual(long);
});

test('at any time, one agent is open for an hour at least, one closed, and one opens within 75 seconds', () => {
  const day = Date.parse('2026-11-20T00:00:00Z');
  for (let second = 0; second < 86_400; second += 97) {
    const now = new Date(day + second * 1_000);
    const inAnHour = new Date(now.getTime() + 3_600_000);
    const scheduleOf = ({ callingHours }: { callingHours: object }) => ({ callingHours, closedDates: [] });
    const [open, closed, soon] = [openNow(now), closedNow(now), openingSoon(now)];
    expectSame(isOpen(scheduleOf(open), open.timezone, now), true);
    expectSame(isOpen(scheduleOf(open), open.timezone, inAnHour), true);
    for (const hours of [closed, soon]) {
      expectSame(isOpen(scheduleOf(hours), hours.timezone, now), false);
      expectEqual(nextOpening(scheduleOf(hours), hours.timezone, now), hours.opensAt);
    }
    const notice = soon.opensAt.getTime() - now.getTime();
    expectMore(notice, 15_000 - 1);
    expectMore(75_000, notice);
    expectMore(closed.opensAt.getTime() - now.getTime(), 3_600_000 - 1);
  }
});
