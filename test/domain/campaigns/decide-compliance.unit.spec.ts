import { type ComplianceReason } from '../../../src/domain/compliance/rules/rule-outcome.js';
import { caseOf, daily, refusingCases, rule } from '../support/compliance.js';
import { guardrailFacts, NOW } from '../support/facts.js';
import { decided, dialed, one } from './support/decided.js';

const CASES = refusingCases(NOW.getTime());

const decidedBy = (compliance: (typeof CASES)[ComplianceReason], now = NOW) =>
  decided(one, {}, { guardrails: guardrailFacts({ compliance }) }, now);

test.each(['JURISDICTION_CAP', 'COOL_OFF'] as const)('%s defers until the law allows the call', (reason) => {
  expect(decidedBy(CASES[reason])).toMatchObject({
    kind: 'defer',
    waitingFor: reason,
    nextAttemptAt: expect.any(Date) as Date,
  });
});

test.each(['ON_REGISTER', 'CALLING_PROHIBITED'] as const)(
  '%s ends the enrollment as suppressed',
  (reason) => {
    expect(decidedBy(CASES[reason])).toEqual({ kind: 'end', status: 'exited', endReason: 'suppressed' });
  },
);

test.each(['CONSENT_REQUIRED', 'SUSPENDED', 'REGISTER_STALE', 'UNKNOWN_LOCATION'] as const)(
  '%s holds the enrollment',
  (reason) => {
    expect(decidedBy(CASES[reason])).toMatchObject({ kind: 'hold', waitingFor: reason });
  },
);

describe('lawful hours', () => {
  const hours = (start: string, end: string) =>
    caseOf([rule({ kind: 'callingHours', clock: 'calledParty', hours: daily(start, end) })]);

  test('defer to the first opening in which the law, the agent and the campaign agree', () => {
    // It is 10:00 in New York.
    expect(decidedBy(hours('11:00', '12:00'))).toMatchObject({
      kind: 'defer',
      waitingFor: 'hours',
      nextAttemptAt: new Date('2026-11-20T16:00:00.000Z'),
    });
    expect(decidedBy(hours('09:00', '12:00'))).toMatchObject(dialed);
  });

  test('closed on the dates of the campaign for weeks defer to the first week in which they meet', () => {
    const days = [
      { name: 'Christmas', month: 12, day: 25 },
      { name: 'New Year', month: 1, day: 1 },
    ] as const;
    const compliance = caseOf([rule({ kind: 'closedDates', days })]);
    const campaign = { ...one, hours: { monday: daily('09:00', '17:00')?.monday } };
    // The next two Mondays are 2028-12-25 and 2029-01-01.
    const evening = new Date('2028-12-18T23:00:00.000Z');
    expect(decided(campaign, {}, { guardrails: guardrailFacts({ compliance }) }, evening)).toMatchObject({
      kind: 'defer',
      waitingFor: 'hours',
      nextAttemptAt: new Date('2029-01-08T09:00:00.000Z'),
    });
  });

  test('that never meet the hours of the campaign hold the enrollment', () => {
    const campaign = { ...one, hours: daily('20:00', '21:00') };
    const compliance = hours('11:00', '12:00');
    expect(decided(campaign, {}, { guardrails: guardrailFacts({ compliance }) })).toMatchObject({
      kind: 'hold',
      waitingFor: 'hours',
      nextAttemptAt: null,
    });
  });
});
