import { attemptOf } from '../../src/campaigns/engine/attempts.js';

const AT = Date.parse('2026-11-20T14:00:00Z');

test.each([
  ['failed', 'hung_up', 'hung_up'],
  ['voicemail', 'hung_up', 'hung_up'],
  ['completed', 'hung_up', 'completed'],
  ['failed', 'carrier_report', 'failed'],
  ['failed', 'resolved_by_operator', 'failed'],
] as const)('a call that ended %s because of %s is the attempt %s', (status, cause, outcome) => {
  const attempt = attemptOf({
    seq: 1,
    step: 'first',
    callback: false,
    claimedAt: AT,
    status,
    processedAt: AT,
    endedAt: AT + 5_000,
    reason: null,
    last: { at: new Date(AT + 5_000).toISOString(), from: 'in_progress', cause },
    result: null,
  });
  expect(attempt).toMatchObject({ outcome, endedAt: new Date(AT + 5_000) });
});
