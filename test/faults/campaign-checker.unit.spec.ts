import { checkHistory } from '../../tools/faults/check-history.js';
import { type ViolationKind } from '../../tools/faults/violation.js';
import { HOUR, NOON } from './planted.js';
import { CAPPED, MINUTE, planted, type PlantedCampaigns, SECOND, unknown } from './planted-campaigns.js';

/* What the fault harness finds in the dials of campaigns. */

describe('a clean history passes', () => {
  test.each<[string, PlantedCampaigns]>([
    [
      'attempts without an answer within 12 hours',
      planted()
        .enrollment('e')
        .attempt('e', 1, NOON)
        .attempt('e', 2, NOON + MINUTE),
    ],
    [
      'dialed before the answer to the exit, and between two pauses',
      planted()
        .enrollment('e')
        .attempt('e', 1, NOON + 5)
        .exited('e', NOON + 6)
        .paused('c', NOON, NOON + 5)
        .paused('e', NOON + 5, NOON + 9),
    ],
    [
      'a number’s cap, and once its window is over',
      planted()
        .campaign('c', CAPPED)
        .enrollment('e')
        .attempt('e', 1, NOON)
        .attempt('e', 2, NOON + MINUTE)
        .attempt('e', 3, NOON + 6 * HOUR),
    ],
    [
      'so many calls a minute, and at the same time',
      planted()
        .campaign('c', { callsPerMinute: 2, maxConcurrentCalls: 2 })
        .attempt('e', 1, NOON)
        .attempt('f', 1, NOON, { call: { phoneNumber: '+14155550124' } })
        .attempt('g', 1, NOON + MINUTE, { call: { phoneNumber: '+14155550125' } }),
    ],
  ])('%s', (_, history) => {
    expect(checkHistory(history.history)).toEqual([]);
  });
});

describe('each violation is detected', () => {
  test.each<[string, ViolationKind, PlantedCampaigns]>([
    [
      'two dials of one attempt',
      'attempt twice',
      planted()
        .enrollment('e')
        .attempt('e', 1, NOON)
        .attempt('e', 1, NOON + MINUTE),
    ],
    [
      'an attempt before the one before was over',
      'attempt twice',
      planted()
        .enrollment('e')
        .attempt('e', 1, NOON)
        .attempt('e', 2, NOON + SECOND - 1),
    ],
    [
      'an attempt behind one whose outcome is unknown',
      'attempt twice',
      planted()
        .enrollment('e')
        .attempt('e', 1, NOON, unknown)
        .attempt('e', 2, NOON + 13 * HOUR),
    ],
    [
      'a dial that its enrollment does not know of',
      'attempt twice',
      planted().enrollment('e').row('x', { enrollmentId: 'e', teamId: 'retrying' }).dial('x'),
    ],
    [
      'a claim after the answer to its exit',
      'dialed after exit',
      planted()
        .enrollment('e')
        .attempt('e', 1, NOON + 7)
        .exited('e', NOON + 6),
    ],
    [
      'a claim after its campaign was archived',
      'dialed after exit',
      planted()
        .enrollment('e')
        .attempt('e', 1, NOON + 7)
        .exited('c', NOON + 6),
    ],
    [
      'a claim after its lifetime',
      'dialed after exit',
      planted()
        .enrollment('e')
        .attempt('e', 1, NOON + 20 * HOUR),
    ],
    [
      'a claim after its end',
      'dialed after exit',
      planted()
        .enrollment('e', { endedAt: NOON + SECOND })
        .attempt('e', 1, NOON)
        .attempt('e', 2, NOON + MINUTE),
    ],
    [
      'a claim while its campaign is closed',
      'out of hours',
      planted()
        .campaign('c', { openings: [[NOON, NOON + MINUTE]] })
        .enrollment('e')
        .attempt('e', 1, NOON)
        .attempt('e', 2, NOON + MINUTE),
    ],
    [
      'a claim during the pause of its campaign',
      'dialed while paused',
      planted()
        .enrollment('e')
        .attempt('e', 1, NOON + 7)
        .paused('c', NOON + 6, NOON + 8),
    ],
    [
      'a claim during the pause of itself',
      'dialed while paused',
      planted()
        .enrollment('e')
        .attempt('e', 1, NOON + 7)
        .paused('e', NOON + 6, Infinity),
    ],
    [
      'more attempts than its campaign allows',
      'cap exceeded',
      planted()
        .campaign('c', { maxAttempts: 1 })
        .attempt('e', 1, NOON)
        .attempt('e', 2, NOON + MINUTE),
    ],
    [
      'more attempts than its step allows',
      'cap exceeded',
      planted()
        .attempt('e', 1, NOON, { dial: { step: 'second' } })
        .attempt('e', 2, NOON + MINUTE, { dial: { step: 'second' } }),
    ],
    [
      'one call more to its number than the cap',
      'cap exceeded',
      planted()
        .campaign('c', CAPPED)
        .attempt('e', 1, NOON)
        .attempt('e', 2, NOON + MINUTE)
        .attempt('e', 3, NOON + 6 * HOUR - 1),
    ],
    [
      'a call within the rest after a conversation',
      'cap exceeded',
      planted()
        .campaign('c', { afterConversation: 14 })
        .attempt('e', 1, NOON, { call: { status: 'completed' } })
        .attempt('f', 1, NOON + 13 * HOUR),
    ],
    [
      'one claim more than its campaign has in a minute',
      'pace exceeded',
      planted()
        .campaign('c', { callsPerMinute: 1 })
        .attempt('e', 1, NOON)
        .attempt('e', 2, NOON + MINUTE - 1),
    ],
    [
      'a call beside as many as its campaign may have',
      'pace exceeded',
      planted()
        .campaign('c', { maxConcurrentCalls: 1 })
        .attempt('e', 1, NOON)
        .attempt('f', 1, NOON + SECOND - 1, { call: { phoneNumber: '+14155550124' } }),
    ],
    [
      'within 12 hours of another enrollment’s attempt',
      'twice in 12 h',
      planted()
        .attempt('e', 1, NOON)
        .attempt('f', 1, NOON + HOUR),
    ],
    [
      'within 12 hours of its own conversation',
      'twice in 12 h',
      planted()
        .attempt('e', 1, NOON, { call: { status: 'completed' } })
        .attempt('e', 2, NOON + HOUR),
    ],
  ])('%s', (_, kind, history) => {
    expect(new Set(checkHistory(history.history).map((violation) => violation.kind))).toEqual(
      new Set([kind]),
    );
  });
});
