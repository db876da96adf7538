import { type CallingHours } from '../../src/domain/calling-hours.js';
import { firstAllowedAt } from '../../src/domain/first-allowed.js';
import { type GuardrailFacts } from '../../src/domain/guardrails/guardrail.js';
import { guardrailFacts } from './support/facts.js';

const NOW = new Date('2026-06-17T15:30:00.000Z');
const HOUR_MS = 3_600_000;

const MORNINGS: CallingHours = {
  monday: [{ start: '09:00', end: '12:00' }],
  thursday: [{ start: '09:00', end: '12:00' }],
};

const first = (facts: Partial<GuardrailFacts>, callingHours: CallingHours = null) =>
  firstAllowedAt(
    { callingHours, closedDates: [], agentTimezone: 'UTC', contactTimezone: null, requestTimezone: null },
    guardrailFacts(facts),
    NOW,
  )?.toISOString() ?? null;

test.each<[what: string, facts: Partial<GuardrailFacts>, hours: CallingHours, at: string | null]>([
  ['nothing refuses', {}, null, NOW.toISOString()],
  ['the hours are closed', {}, MORNINGS, '2026-06-18T09:00:00.000Z'],
  ['a call of an hour ago', { processedAt: [NOW.getTime() - HOUR_MS] }, null, '2026-06-18T02:30:00.000Z'],
  [
    'a call of an hour ago, and hours that are closed when it no longer refuses',
    { processedAt: [NOW.getTime() - HOUR_MS] },
    MORNINGS,
    '2026-06-18T09:00:00.000Z',
  ],
  [
    'two rules, of which the later one counts, and the opening behind it',
    { processedAt: [NOW.getTime() - HOUR_MS], numberDailyLimit: 1 },
    MORNINGS,
    '2026-06-22T09:00:00.000Z',
  ],
  ['a plan that is used up', { monthlyCallLimit: 3, planUsed: 3 }, null, '2026-07-01T00:00:00.000Z'],
  ['a plan of no call', { monthlyCallLimit: 0 }, null, null],
  ['Do Not Call', { onDoNotCall: true }, MORNINGS, null],
  ['another call that waits', { olderPendingCallId: 'x' }, null, null],
  [
    'Do Not Call beside a rule that time lifts',
    { onDoNotCall: true, monthlyCallLimit: 1, planUsed: 1 },
    null,
    null,
  ],
])('%s', (_, facts, hours, at) => {
  expect(first(facts, hours)).toBe(at);
});
