import fc from 'fast-check';
import { expiryOf } from '../../src/domain/expiry.js';
import { after, before, DAY, HOUR, NOW } from './support/facts.js';

const seeded = { seed: 20261120, numRuns: 500 };

test.each([
  ['an immediate call: 24 hours after acceptance', 0, DAY],
  ['24 hours after the current slot', 3 * HOUR, 3 * HOUR + DAY],
  ['the last slot that keeps its whole 24 hours', 6 * DAY, 7 * DAY],
  ['never later than 7 days after acceptance', 6 * DAY + 1, 7 * DAY],
  ['not even where the slot itself is later', 30 * DAY, 7 * DAY],
])('%s', (_, slotMs, expiryMs) => {
  expect(expiryOf(NOW, after(slotMs))).toEqual(after(expiryMs));
});

test('it moves with the slot', () => {
  const acceptedAt = before(2 * DAY);
  expect(expiryOf(acceptedAt, after(HOUR))).toEqual(after(HOUR + DAY));
  expect(expiryOf(acceptedAt, after(2 * HOUR))).toEqual(after(2 * HOUR + DAY));
});

test('every call that was accepted before its slot lives for some time, and for at most 7 days', () => {
  const instant = fc.integer({ min: 0, max: 60 * DAY });
  fc.assert(
    fc.property(instant, instant, (accepted, wait) => {
      const expiry = expiryOf(after(accepted), after(accepted + wait)).getTime() - after(accepted).getTime();
      expect(expiry).toBe(wait <= 6 * DAY ? wait + DAY : 7 * DAY);
    }),
    seeded,
  );
});

test('a later slot never brings the expiry forward', () => {
  const instant = fc.integer({ min: 0, max: 10 * DAY });
  fc.assert(
    fc.property(instant, instant, (slot, later) => {
      expect(expiryOf(NOW, after(slot + later)).getTime()).toBeGreaterThanOrEqual(
        expiryOf(NOW, after(slot)).getTime(),
      );
    }),
    seeded,
  );
});
