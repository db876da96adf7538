import { decideFire, type FireDecision, type FireFacts } from '../../src/domain/fire-decision.js';
import { CALL_STATES, isPending } from '../../src/domain/call-states.js';
import { GUARDRAIL_REASONS, evaluateGuardrails } from '../../src/domain/guardrails/guardrails.js';
import {
  after,
  AGENT_NUMBER,
  before,
  callerIdCandidates,
  DAY,
  deepFreeze,
  fireFacts,
  guardrailFacts,
  HOUR,
  hoursFacts,
  merged,
  MONDAYS,
  NEXT_MONDAY,
  NOW,
  REFUSING,
} from './support/facts.js';

describe('a firing', () => {
  const EXPIRED = { kind: 'expired', cause: 'expired' };

  /** The reasons against a claim, in the order of their checks. */
  const OBSTACLES = [
    ['not pending', { status: 'canceled' }, { kind: 'ignored', why: 'not_pending' }],
    ['a later generation', { generation: 1 }, { kind: 'ignored', why: 'old_generation' }],
    ['expired', { expiresAt: NOW }, { kind: 'expired' }],
    ['paused', { paused: true }, { kind: 'ignored', why: 'paused' }],
    ['early', { runsAt: after(1) }, { kind: 'early', delayMs: 1 }],
    [
      'closed',
      { hours: hoursFacts({ callingHours: MONDAYS }) },
      { kind: 'rescheduled', runsAt: NEXT_MONDAY },
    ],
    [
      'on the Do Not Call list',
      { guardrails: guardrailFacts(REFUSING.DO_NOT_CALL) },
      { kind: 'blocked', reason: 'DO_NOT_CALL' },
    ],
    [
      'without a caller ID',
      { callerId: callerIdCandidates({ agentNumber: { pick: null } }) },
      { kind: 'blocked', reason: 'NO_CALLER_ID' },
    ],
    [
      'without a free concurrency slot',
      { concurrencySlots: { limit: 2, active: 1, olderWaiting: 1 } },
      { kind: 'waiting' },
    ],
  ] as const satisfies (readonly [string, Partial<FireFacts>, Partial<FireDecision>])[];

  test.each(OBSTACLES)('%s: not dialed', (_, facts, decision) => {
    expect(decideFire(fireFacts(facts), 0, NOW)).toMatchObject(decision);
  });

  test('in an unknown time zone waits, before calling hours and guardrails are evaluated', () => {
    const hours = hoursFacts({ callingHours: MONDAYS, contactTimezone: 'BST' });
    const guardrails = guardrailFacts({ ...REFUSING.DO_NOT_CALL, ...REFUSING.ZONE_UNKNOWN });
    expect(decideFire(fireFacts({ hours, guardrails }), 0, NOW)).toEqual({
      kind: 'zone_unknown',
      delayMs: 60_000,
    });
    expect(decideFire(fireFacts({ hours, expiresAt: NOW }), 0, NOW).kind).toBe('expired');
  });

  test('checks the row, then expiry, pause, due time, calling hours, guardrails, caller ID and concurrency slots', () => {
    for (let subset = 0; subset < 2 ** OBSTACLES.length; subset++) {
      const standing = OBSTACLES.filter((_, index) => (subset >> index) & 1);
      const facts = deepFreeze(fireFacts(merged<FireFacts>(standing.map(([, changed]) => changed))));
      const expected = standing[0]?.[2] ?? { kind: 'claimed', callerId: AGENT_NUMBER };
      expect(decideFire(facts, 0, NOW)).toMatchObject(expected);
    }
  });

  test.each(CALL_STATES)('claims a call that is %s exactly if it is pending', (status) => {
    const kind = isPending(status) ? 'claimed' : 'ignored';
    expect(decideFire(fireFacts({ status }), 0, NOW).kind).toBe(kind);
  });

  test('of an older or a later generation has no effect, even on an expired call', () => {
    for (const expiresAt of [before(1), after(1)]) {
      const facts = fireFacts({ generation: 1, expiresAt });
      expect(decideFire(facts, 0, NOW)).toEqual({ kind: 'ignored', why: 'old_generation' });
      expect(decideFire(facts, 2, NOW)).toEqual({ kind: 'ignored', why: 'old_generation' });
    }
  });

  test('expires the call exactly at its expiry', () => {
    expect(decideFire(fireFacts({ expiresAt: NOW }), 0, NOW)).toEqual(EXPIRED);
    expect(decideFire(fireFacts({ expiresAt: after(1) }), 0, NOW).kind).toBe('claimed');
  });

  test('during a pause only expires calls', () => {
    expect(decideFire(fireFacts({ paused: true, expiresAt: NOW }), 0, NOW)).toEqual(EXPIRED);
    expect(decideFire(fireFacts({ paused: true }), 0, NOW)).toEqual({ kind: 'ignored', why: 'paused' });
  });

  test('claims the call at its due time; before, the job is delayed', () => {
    expect(decideFire(fireFacts({ runsAt: NOW }), 0, NOW).kind).toBe('claimed');
    expect(decideFire(fireFacts({ runsAt: after(1_234) }), 0, NOW)).toEqual({
      kind: 'early',
      delayMs: 1_234,
    });
  });

  test('outside calling hours reschedules the call to the next opening, with a later expiry', () => {
    const facts = fireFacts({ acceptedAt: before(HOUR), hours: hoursFacts({ callingHours: MONDAYS }) });
    expect(decideFire(facts, 0, NOW)).toEqual({
      kind: 'rescheduled',
      runsAt: NEXT_MONDAY,
      expiresAt: after(DAY, NEXT_MONDAY),
    });
  });

  test('ends the call if the next opening is more than 7 days after acceptance and after the first opening’s expiry', () => {
    const facts = fireFacts({ acceptedAt: before(6 * DAY), hours: hoursFacts({ callingHours: MONDAYS }) });
    expect(decideFire(facts, 0, NOW)).toEqual({ kind: 'expired', cause: 'next_slot_too_late' });
    const promised = fireFacts({ ...facts, firstRunsAt: before(DAY, NEXT_MONDAY) });
    expect(decideFire(promised, 0, NOW)).toMatchObject({ kind: 'rescheduled', runsAt: NEXT_MONDAY });
  });

  test.each(GUARDRAIL_REASONS)('is blocked by %s, with the decisions of all rules', (reason) => {
    const guardrails = guardrailFacts(REFUSING[reason]);
    expect(decideFire(fireFacts({ guardrails }), 0, NOW)).toEqual({
      kind: 'blocked',
      reason,
      decision: evaluateGuardrails(guardrails, NOW),
    });
  });

  test('is blocked by a pool without a usable number, although the agent has a number', () => {
    const callerId = callerIdCandidates({ requestPool: { pick: null } });
    const decision = decideFire(fireFacts({ callerId }), 0, NOW);
    expect(decision).toMatchObject({ kind: 'blocked', reason: 'NO_CALLER_ID', decision: { allow: true } });
  });

  test('claims the call with its caller ID and decision', () => {
    expect(decideFire(fireFacts(), 0, NOW)).toEqual({
      kind: 'claimed',
      callerId: AGENT_NUMBER,
      decision: evaluateGuardrails(guardrailFacts(), NOW),
    });
  });

  test('dials a call that was counted this month although the plan is used up; in a new month its guardrails are evaluated again', () => {
    const counted = { ...REFUSING.PLAN_LIMIT, countedThisMonth: true };
    expect(decideFire(fireFacts({ guardrails: guardrailFacts(counted) }), 0, NOW).kind).toBe('claimed');
    const again = { ...counted, countedThisMonth: false };
    expect(decideFire(fireFacts({ guardrails: guardrailFacts(again) }), 0, NOW)).toMatchObject({
      kind: 'blocked',
      reason: 'PLAN_LIMIT',
    });
  });
});
