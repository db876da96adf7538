import { checkHistory } from '../../tools/faults/check-history.js';
import { HOUR, NOON } from './planted.js';
import {
  CAPPED,
  live,
  MINUTE,
  NUMBER,
  planted,
  type PlantedCampaigns,
  unknown,
} from './planted-campaigns.js';

/* What the fault harness finds in the enrollments that live when nothing is under way any more. */

test('enrollments with a valid reason to wait pass', () => {
  const history = planted()
    .campaign('c', CAPPED)
    .enrollment('retry', live({ waitingFor: 'retry', nextAttemptAt: NOON + 14 * HOUR }))
    .enrollment('outcome', live({ waitingFor: 'outcome' }))
    .attempt('outcome', 1, NOON, unknown)
    .enrollment('window', live({ waitingFor: 'RECENTLY_CALLED', nextAttemptAt: NOON + 12 * HOUR }))
    .enrollment('hours', live({ waitingFor: 'hours', campaignId: 'd' }))
    .campaign('d', { openings: [[NOON - HOUR, NOON]] })
    .enrollment('dies', live({ waitingFor: 'RECENTLY_CALLED', lookAt: NOON + 20 * HOUR }))
    .quiet(NOON + HOUR);
  expect(checkHistory(history.history)).toEqual([]);
});

test('an outcome that was unknown and that a look-up has found since passes', () => {
  const history = planted()
    .enrollment('e', live({ waitingFor: 'outcome' }))
    .attempt('e', 1, NOON, { call: { endedAt: NOON + 2 * HOUR, overAt: NOON + 2 * HOUR } })
    .quiet(NOON + HOUR);
  expect(checkHistory(history.history)).toEqual([]);
});

describe('stuck enrollments are detected', () => {
  test.each<[string, PlantedCampaigns]>([
    [
      'living on after its exit',
      planted()
        .enrollment('e', live({ waitingFor: 'retry', nextAttemptAt: NOON + HOUR }))
        .exited('e', NOON)
        .quiet(NOON),
    ],
    [
      'living on with its number on Do Not Call',
      planted()
        .enrollment('e', live({ waitingFor: 'retry', nextAttemptAt: NOON + HOUR }))
        .listed(NUMBER, NOON, 'retrying')
        .quiet(NOON),
    ],
    ['waiting for nothing', planted().enrollment('e', live({})).quiet(NOON)],
    [
      'waiting for a call that is over',
      planted()
        .enrollment('e', live({ waitingFor: 'in_call' }))
        .quiet(NOON),
    ],
    [
      'waiting for an outcome that is known',
      planted()
        .enrollment('e', live({ waitingFor: 'outcome' }))
        .attempt('e', 1, NOON)
        .quiet(NOON + HOUR),
    ],
    [
      'waiting until an instant that has passed',
      planted()
        .enrollment('e', live({ waitingFor: 'retry', nextAttemptAt: NOON - MINUTE }))
        .quiet(NOON),
    ],
    [
      'waiting for its step without an instant',
      planted()
        .enrollment('e', live({ waitingFor: 'after', lookAt: NOON + HOUR }))
        .quiet(NOON),
    ],
    [
      'never looked at',
      planted()
        .enrollment('e', live({ waitingFor: 'retry', nextAttemptAt: NOON + MINUTE, lookAt: null }))
        .quiet(NOON),
    ],
    [
      'waiting for hours that are open',
      planted()
        .campaign('c', { openings: [[NOON - HOUR, NOON + HOUR]] })
        .enrollment('e', live({ waitingFor: 'hours' }))
        .quiet(NOON),
    ],
    [
      'waiting for a window that no call has opened',
      planted()
        .enrollment('e', live({ waitingFor: 'RECENTLY_CALLED', nextAttemptAt: NOON + HOUR }))
        .quiet(NOON),
    ],
  ])('%s', (_, history) => {
    expect(new Set(history.kinds())).toEqual(new Set(['enrollment stuck']));
  });

  test('an enrollment past its lifetime is detected', () => {
    const history = planted()
      .enrollment('e', live({ waitingFor: 'retry', nextAttemptAt: NOON + HOUR }))
      .quiet(NOON);
    history.history.campaigns.isOver = true;
    expect(history.kinds()).toEqual(['enrollment stuck']);
  });
});

test('an enrollment that was confirmed and does not exist is detected', () => {
  const history = planted();
  history.history.campaigns.enrolled.push('e');
  expect(history.kinds()).toEqual(['enrollment lost']);
});
