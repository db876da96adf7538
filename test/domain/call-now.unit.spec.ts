import { WAITING_FOR } from '../../src/domain/campaigns/decide/decision.js';
import { GUARDRAIL_REASONS } from '../../src/domain/guardrails/guardrails.js';
import { type NarratedDryRun, NOT_NOW, tellCallNow, whyNotNow } from '../../src/domain/narrator/call-now.js';

const TELLING = { timeOf: (at: string) => `<${at}>`, numberOf: (number: string) => number, paused: null };
const RUN: NarratedDryRun = {
  wouldBe: 'queued',
  reason: null,
  runsAt: null,
  firstAllowedAt: null,
  callerId: { candidates: ['+14155550100'] },
};

test('every reason of a guardrail, and everything that an enrollment waits for, has a sentence of its own', () => {
  const told = [...new Set([...GUARDRAIL_REASONS, ...WAITING_FOR])].sort();
  expect(Object.keys(NOT_NOW).sort()).toEqual(told);
  expect(new Set(Object.values(NOT_NOW)).size).toBe(told.length);
  for (const clause of Object.values(NOT_NOW)) expect(clause).toMatch(/^[a-z].*[^.\s]$/);
});

test('a reason of another version is told by its code', () => {
  expect(whyNotNow('FULL_MOON')).toBe('full moon');
});

test.each<[string, Partial<NarratedDryRun>, string, string]>([
  ['a call that would be placed', {}, 'now', 'Would be called now from +14155550100.'],
  [
    'one of a pool',
    { callerId: { candidates: ['+14155550100', '+14155550101'] } },
    'now',
    'Would be called now from +14155550100, or from another of the 2 numbers of the pool.',
  ],
  [
    'a call outside the hours',
    { wouldBe: 'scheduled', runsAt: 'Monday' },
    'later',
    'Not now: it is outside the calling hours of the agent. The call would wait, and be made at <Monday>.',
  ],
  [
    'a call outside the hours of the law',
    { wouldBe: 'scheduled', runsAt: 'Monday', compliance: { rule: 'us.hours' } },
    'later',
    'Not now: it is outside the calling hours of the agent or those of the law. The call would wait, and be made at <Monday>.',
  ],
  [
    'a refusal that ends',
    { wouldBe: 'refused', reason: 'RECENTLY_CALLED', firstAllowedAt: 'Monday' },
    'no',
    'Not now: the number was called within the last 12 hours. The call may be made from <Monday> on.',
  ],
  [
    'a refusal that waiting does not end',
    { wouldBe: 'refused', reason: 'DO_NOT_CALL' },
    'no',
    'Not now: the number is on the Do Not Call list. Waiting does not help.',
  ],
])('%s', (_, run, may, answer) => {
  expect(tellCallNow({ ...RUN, ...run }, TELLING)).toEqual({ may, answer });
});

test('a pause is told beside what would be done', () => {
  expect(tellCallNow(RUN, { ...TELLING, paused: 'The team is paused' }).answer).toBe(
    'Would be called now from +14155550100. The team is paused, so the call would wait for the end of the pause.',
  );
});
