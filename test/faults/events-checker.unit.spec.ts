import { type EventRecord } from '../../tools/faults/event-history.js';
import { checkHistory } from '../../tools/faults/check-history.js';
import { type ViolationKind } from '../../tools/faults/violation.js';
import { Planted } from './planted.js';

/* What the fault harness finds in the feeds of events. */

const event = (sequence: number, callRequestId: string, over: Partial<EventRecord> = {}): EventRecord => ({
  id: `event-${sequence}`,
  teamId: 'free',
  type: 'call.ended',
  sequence,
  callRequestId,
  status: 'completed',
  ...over,
});

/** Of two calls that are completed. @param stored numbers; those that were read unless told. */
function kindsOf(read: EventRecord[], stored?: number[] | null, planted = new Planted()): ViolationKind[] {
  planted.call('one').call('two', { phoneNumber: '+14155550177' });
  const numbers = stored ?? read.map(({ sequence }) => sequence);
  planted.history.events = {
    read,
    stored: stored === null ? null : numbers.map((sequence) => ({ teamId: 'free', sequence })),
  };
  return checkHistory(planted.history).map(({ kind }) => kind);
}

test('each end told once, in order, with other events between them, passes', () => {
  const started = event(2, 'two', { type: 'call.started', status: 'in_progress' });
  expect(kindsOf([event(1, 'one'), started, event(1_000_003, 'two')])).toEqual([]);
  const refused = new Planted().row('refused', {
    status: 'blocked',
    wasAccepted: false,
    claimedAt: null,
    processedAt: null,
  });
  expect(kindsOf([event(1, 'one'), event(2, 'two')], undefined, refused)).toEqual([]);
});

test('before the feeds are read to their ends, an end may still be to come', () => {
  expect(kindsOf([event(1, 'one')], null)).toEqual([]);
});

test.each<[string, EventRecord[], ViolationKind[], number[]?]>([
  ['an end that is not told', [event(1, 'one')], ['event lost']],
  ['a second event of the same end', [event(1, 'one'), event(2, 'two'), event(3, 'one')], ['event invented']],
  ['another end', [event(1, 'one'), event(2, 'two', { status: 'busy' })], ['event invented']],
  ['an end of no call', [event(1, 'one'), event(2, 'two'), event(3, 'none')], ['event invented']],
  ['a number behind one that was read', [event(2, 'one'), event(1, 'two')], ['event behind']],
  ['a number that was read again', [event(1, 'one'), event(1, 'two')], ['event behind']],
  ['a number that was never read', [event(1, 'one'), event(3, 'two')], ['event behind'], [1, 2, 3]],
])('%s is detected', (...[, read, kinds, stored]) => {
  expect(kindsOf(read, stored)).toEqual(kinds);
});
