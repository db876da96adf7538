import { NOON, planted, type Planted } from './planted.js';

/* What the fault harness finds in results that opt out. */

const NUMBER = '+14155550144';
const call = (reportedOptOut = false) =>
  planted().call('c', { phoneNumber: NUMBER, overAt: NOON + 9, reportedOptOut });

function optedOut(history: Planted, answeredAt: number): Planted {
  history.history.optOuts.push({ callRequestId: 'c', answeredAt });
  return history;
}

test.each<[string, Planted]>([
  ['listed before the answer', optedOut(call().listed(NUMBER, NOON + 5), NOON + 6)],
  ['listed in the millisecond of the answer', optedOut(call().listed(NUMBER, NOON + 5.4), NOON + 5)],
  ['reported, and listed before the end is recorded', call(true).listed(NUMBER, NOON + 8)],
  ['not reported', call()],
])('%s passes', (_, history) => {
  expect(history.kinds()).toEqual([]);
});

test.each<[string, Planted]>([
  ['an answer without an entry', optedOut(call(), NOON + 6)],
  ['an entry after the answer', optedOut(call().listed(NUMBER, NOON + 8), NOON + 6)],
  ['an entry of another team', optedOut(call().listed(NUMBER, NOON + 5, 'limited'), NOON + 6)],
  ['a report without an entry', call(true)],
  ['an entry after the end of the call was recorded', call(true).listed(NUMBER, NOON + 11)],
])('%s is caught', (_, history) => {
  expect(history.kinds()).toEqual(['opt-out lost']);
});

test('a report while every dial is answered otherwise passes: it has no result', () => {
  const history = planted().promise('c').row('c', { phoneNumber: NUMBER, reportedOptOut: true });
  expect(history.dial('c', 'duplicate').kinds()).toEqual([]);
});

test('a dial after the answer is caught, also by the list', () => {
  const history = optedOut(call().listed(NUMBER, NOON + 5), NOON + 6);
  const day = 86_400_000;
  expect(history.call('d', { phoneNumber: NUMBER, claimedAt: NOON + day }).kinds()).toEqual([
    'do not call',
    'called after opt-out',
  ]);
});
