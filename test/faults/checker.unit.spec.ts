import { checkHistory } from '../../tools/faults/check-history.js';
import { type ViolationKind } from '../../tools/faults/violation.js';
import { someOf } from '../../tools/faults/report.js';
import { HOUR, NOON, type Planted, planted } from './planted.js';

const SAME = { phoneNumber: '+14155550123' };
const UNCLAIMED = { claimedAt: null, processedAt: null };
const LIMITED = { teamId: 'limited' };

describe('a clean history passes', () => {
  test.each<[string, Planted]>([
    ['nothing', planted()],
    ['dialed and completed', planted().call('a').call('b')],
    [
      'blocked, expired and canceled without a dial',
      planted()
        .promise('a')
        .row('a', { status: 'blocked', ...UNCLAIMED })
        .promise('b')
        .row('b', { status: 'expired', ...UNCLAIMED })
        .row('c', { status: 'canceled', ...UNCLAIMED }),
    ],
    ['claimed, never dialed, unknown', planted().promise('a').row('a', { status: 'dial_unknown' })],
    [
      'claimed, not dialed in time, failed',
      planted().promise('a').row('a', { status: 'failed', processedAt: null }),
    ],
    ['refusals and a request without an answer', planted().promise(null, 429).promise(null, null)],
    [
      'the same number again after 12 hours',
      planted()
        .call('a', SAME)
        .call('b', { ...SAME, claimedAt: NOON + 12 * HOUR }),
    ],
    [
      'the same number at another team',
      planted()
        .call('a', SAME)
        .call('b', { ...SAME, teamId: 'other' }),
    ],
    [
      'the same number after an outright refusal',
      planted()
        .promise('a')
        .row('a', { ...SAME, status: 'failed', processedAt: null })
        .dial('a', 'refuse')
        .call('b', { ...SAME, claimedAt: NOON + 1 }),
    ],
    [
      'at the first and at the last millisecond of the hours',
      planted()
        .call('a', { agentId: 'nine-to-five', claimedAt: NOON - 3 * HOUR })
        .call('b', { agentId: 'nine-to-five', claimedAt: NOON + 5 * HOUR - 1 }),
    ],
    [
      'listed after the claim, or by another team',
      planted()
        .call('a', SAME)
        .listed(SAME.phoneNumber, NOON)
        .listed(SAME.phoneNumber, NOON - 1, 'other'),
    ],
    [
      'a plan used up, and more in the next month',
      planted()
        .call('a', LIMITED)
        .call('b', LIMITED)
        .call('c', { ...LIMITED, claimedAt: Date.parse('2026-12-01T00:00:00Z') }),
    ],
    [
      'a number called once a day',
      planted()
        .call('a', { ...LIMITED, ...SAME })
        .call('b', { ...LIMITED, ...SAME, claimedAt: NOON + 24 * HOUR }),
    ],
  ])('%s', (_, history) => {
    expect(checkHistory(history.history)).toEqual([]);
  });
});

describe('each violation is detected', () => {
  test.each<[string, ViolationKind[], Planted]>([
    ['a 200 without a call', ['lost'], planted().promise('a')],
    [
      'a 200 that is still queued',
      ['lost'],
      planted()
        .promise('a')
        .row('a', { status: 'queued', ...UNCLAIMED }),
    ],
    [
      'a 200 that is still scheduled',
      ['lost'],
      planted()
        .promise('a')
        .row('a', { status: 'scheduled', ...UNCLAIMED }),
    ],
    ['a 200 that is still dialing', ['lost'], planted().promise('a').row('a', { status: 'dialing' })],
    [
      'a 200 in progress for ever',
      ['lost'],
      planted().promise('a').row('a', { status: 'in_progress' }).dial('a'),
    ],
    [
      'a call that was not told of, still queued',
      ['unsettled'],
      planted()
        .promise(null, null)
        .row('a', { status: 'queued', ...UNCLAIMED }),
    ],
    ['two dials for one call', ['dialed twice'], planted().call('a').dial('a')],
    [
      'two dials for one call, both refused',
      ['dialed twice'],
      planted()
        .promise('a')
        .row('a', { status: 'failed', processedAt: null })
        .dial('a', 'refuse')
        .dial('a', 'refuse'),
    ],
    ['a dial without a call', ['dialed unclaimed'], planted().dial('ghost')],
    [
      'a dial of a blocked call',
      ['dialed unclaimed', 'misrecorded'],
      planted().call('a', { status: 'blocked', ...UNCLAIMED }),
    ],
    [
      'a dial of a queued call',
      ['dialed unclaimed', 'lost', 'misrecorded'],
      planted().call('a', { status: 'queued', ...UNCLAIMED }),
    ],
    [
      'the same number a millisecond before 12 hours are over',
      ['twice in 12 h'],
      planted()
        .call('a', SAME)
        .call('b', { ...SAME, claimedAt: NOON + 12 * HOUR - 1 }),
    ],
    [
      'the same number again, in the order of the log reversed',
      ['twice in 12 h'],
      planted()
        .call('b', { ...SAME, claimedAt: NOON + HOUR })
        .call('a', SAME),
    ],
    [
      'a millisecond before the hours begin',
      ['out of hours'],
      planted().call('a', { agentId: 'nine-to-five', claimedAt: NOON - 3 * HOUR - 1 }),
    ],
    [
      'at the moment the hours end',
      ['out of hours'],
      planted().call('a', { agentId: 'nine-to-five', claimedAt: NOON + 5 * HOUR }),
    ],
    [
      'claimed after the listing',
      ['do not call'],
      planted()
        .call('a', SAME)
        .listed(SAME.phoneNumber, NOON - 0.5),
    ],
    [
      'claimed after the listing, refused by the carrier',
      ['do not call'],
      planted()
        .promise('a')
        .row('a', { ...SAME, status: 'failed', processedAt: null })
        .dial('a', 'refuse')
        .listed(SAME.phoneNumber, NOON - 1),
    ],
    [
      'one call more than the plan',
      ['limit exceeded'],
      planted().call('a', LIMITED).call('b', LIMITED).call('c', LIMITED),
    ],
    [
      'a number twice a day',
      ['limit exceeded'],
      planted()
        .call('a', { ...LIMITED, ...SAME })
        .call('b', { ...LIMITED, ...SAME, claimedAt: NOON + 13 * HOUR }),
    ],
    [
      'dialed, but told to be undialed',
      ['misrecorded'],
      planted().call('a', { status: 'failed', processedAt: null }),
    ],
    ['busy, but told to be completed', ['misrecorded'], planted().promise('a').row('a').dial('a', 'busy')],
    [
      'refused, but told to be busy',
      ['misrecorded'],
      planted().promise('a').row('a', { status: 'busy' }).dial('a', 'refuse'),
    ],
    [
      'completed, but told to be failed',
      ['misrecorded'],
      planted().promise('a').row('a', { status: 'failed' }).dial('a', 'duplicate'),
    ],
    ['completed without a dial', ['misrecorded'], planted().promise('a').row('a')],
  ])('%s', (_, kinds, history) => {
    expect(history.kinds()).toEqual(kinds);
  });

  test('three calls a week to one number are detected', () => {
    const days = [0, 2, 4].map((day) => NOON + day * 24 * HOUR);
    const history = planted();
    for (const [index, claimedAt] of days.entries())
      history.call(`${index}`, { ...LIMITED, ...SAME, claimedAt });
    expect(new Set(history.kinds())).toEqual(new Set(['limit exceeded']));
    expect(checkHistory(history.history).map(({ detail }) => detail)).toContain(
      '3 in 7 days to one number, limit 2',
    );
  });

  test('four calls a month to one number are detected', () => {
    const history = planted();
    for (const week of [0, 1, 2, 3]) {
      const claimedAt = Date.parse('2026-10-20T12:00:00Z') + week * 8 * 24 * HOUR;
      history.call(`${week}`, { ...LIMITED, ...SAME, claimedAt });
    }
    expect(checkHistory(history.history).map(({ detail }) => detail)).toContain(
      '4 in 30 days to one number, limit 3',
    );
  });

  test('one violation among ten thousand calls is detected', () => {
    const history = planted();
    for (let index = 0; index < 10_000; index += 1) history.call(`${index}`);
    history.dial('5000');
    expect(history.kinds()).toEqual(['dialed twice']);
    expect(someOf(checkHistory(history.history))).toEqual(['  VIOLATION dialed twice: 5000: 2 dials']);
  });
});

test('a process that ended by itself is found', () => {
  const { history } = planted().call('a');
  const crashes = [{ name: 'worker-1', end: 1 }];
  expect(checkHistory({ ...history, crashes })).toMatchObject([{ kind: 'crashed', id: 'worker-1' }]);
});
