import { decideFire, type FireDecision, type FireFacts } from '../../src/domain/fire-decision.js';
import { decideTrigger, type TriggerDecision } from '../../src/domain/trigger-decision.js';
import { zoneOf } from '../../src/domain/calling-hours.js';
import { CALL_STATES, isPending } from '../../src/domain/call-states.js';
import { GUARDRAIL_REASONS, judge } from '../../src/domain/guardrails/guardrails.js';
import {
  after,
  AGENT_NUMBER,
  before,
  callerIdCandidates,
  callerIdFacts,
  combinations,
  DAY,
  deepFreeze,
  fireFacts,
  FRIDAYS,
  guardrailFacts,
  HOUR,
  hoursFacts,
  merged,
  MONDAYS,
  NEXT_MONDAY,
  NOW,
  REFUSING,
  triggerFacts,
} from './support/facts.js';

const FIRING_REASONS = GUARDRAIL_REASONS.filter((reason) => reason !== 'COUNTRY_NOT_ALLOWED');

describe('whose clock calling hours go by', () => {
  test.each([
    ["the request's, whatever else is known", 'Asia/Tokyo', 'Europe/Berlin', 'Asia/Tokyo'],
    ["the request's, without a stored one", 'Asia/Tokyo', null, 'Asia/Tokyo'],
    ["else the contact's stored one", null, 'Europe/Berlin', 'Europe/Berlin'],
    ["else the agent's", null, null, 'America/New_York'],
  ])('%s', (_, requestTimezone, contactTimezone, zone) => {
    expect(zoneOf(hoursFacts({ requestTimezone, contactTimezone, agentTimezone: 'America/New_York' }))).toBe(
      zone,
    );
  });

  test('the same instant is inside by one clock and outside by another, at the trigger and at the firing', () => {
    const inNewYork = hoursFacts({ callingHours: FRIDAYS, agentTimezone: 'America/New_York' });
    const inTokyo = { ...inNewYork, contactTimezone: 'Asia/Tokyo' };
    expect(decideTrigger(triggerFacts({ hours: inNewYork }), NOW).kind).toBe('queued');
    expect(decideTrigger(triggerFacts({ hours: inTokyo }), NOW)).toEqual({
      kind: 'scheduled',
      runsAt: new Date('2026-11-27T00:00:00.000Z'),
    });
    expect(decideFire(fireFacts({ hours: inNewYork }), 0, NOW).kind).toBe('claimed');
    expect(decideFire(fireFacts({ hours: inTokyo }), 0, NOW).kind).toBe('rescheduled');
  });
});

describe('triggering', () => {
  /** What may stand in a request's way, in the order in which it is asked. */
  interface Obstacles {
    country: boolean;
    callerId: boolean;
    closed: boolean;
    guardrail: boolean;
  }
  const yesNo = [false, true];
  const EVERY_CASE = combinations<Obstacles>({
    country: yesNo,
    callerId: yesNo,
    closed: yesNo,
    guardrail: yesNo,
  });

  const trigger = (obstacles: Obstacles): TriggerDecision =>
    decideTrigger(
      deepFreeze(
        triggerFacts({
          hours: hoursFacts({ callingHours: obstacles.closed ? MONDAYS : FRIDAYS }),
          callerId: callerIdFacts(obstacles.callerId ? { agentNumber: null } : {}),
          guardrails: guardrailFacts({
            ...(obstacles.country ? REFUSING.COUNTRY_NOT_ALLOWED : {}),
            ...(obstacles.guardrail ? REFUSING.DO_NOT_CALL : {}),
          }),
        }),
      ),
      NOW,
    );

  test('first the country, then a caller ID, then calling hours, then the guardrails', () => {
    for (const obstacles of EVERY_CASE) {
      const decision = trigger(obstacles);
      if (obstacles.country)
        expect(decision).toMatchObject({
          kind: 'blocked',
          reason: 'COUNTRY_NOT_ALLOWED',
          decision: { allow: false, reason: 'COUNTRY_NOT_ALLOWED' },
        });
      else if (obstacles.callerId) expect(decision).toEqual({ kind: 'refused', reason: 'NO_CALLER_ID' });
      else if (obstacles.closed) expect(decision).toEqual({ kind: 'scheduled', runsAt: NEXT_MONDAY });
      else if (obstacles.guardrail)
        expect(decision).toMatchObject({ kind: 'blocked', reason: 'DO_NOT_CALL' });
      else expect(decision.kind).toBe('queued');
    }
  });

  test('outside hours a call is scheduled even when every guardrail would refuse', () => {
    const guardrails = guardrailFacts(merged(FIRING_REASONS.map((reason) => REFUSING[reason])));
    const hours = hoursFacts({ callingHours: MONDAYS });
    expect(decideTrigger(triggerFacts({ hours, guardrails }), NOW)).toEqual({
      kind: 'scheduled',
      runsAt: NEXT_MONDAY,
    });
  });

  test.each(FIRING_REASONS)('inside hours, %s blocks it, with the decision of all rules', (reason) => {
    const guardrails = guardrailFacts(REFUSING[reason]);
    expect(decideTrigger(triggerFacts({ guardrails }), NOW)).toEqual({
      kind: 'blocked',
      reason,
      decision: judge(guardrails, NOW),
    });
  });

  test.each([
    ['FROM_NUMBER_INVALID', { fromNumber: { usable: false } }],
    ['NUMBER_POOL_INVALID', { requestPool: { known: false, usable: false } }],
    ['NO_CALLER_ID', { agentNumber: { usable: false } }],
  ] as const)('%s refuses it, inside hours and outside', (reason, callerId) => {
    for (const callingHours of [FRIDAYS, MONDAYS]) {
      const facts = triggerFacts({ hours: hoursFacts({ callingHours }), callerId: callerIdFacts(callerId) });
      expect(decideTrigger(facts, NOW)).toEqual({ kind: 'refused', reason });
    }
  });
});

describe('firing', () => {
  const EXPIRED = { kind: 'expired', cause: 'expired' };

  /** What may stand in the way of a claim, in the order in which it is asked. */
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
    ['without a free slot', { slots: { limit: 2, active: 1, olderWaiting: 1 } }, { kind: 'waiting' }],
  ] as const satisfies (readonly [string, Partial<FireFacts>, Partial<FireDecision>])[];

  test.each(OBSTACLES)('%s: not dialed', (_, facts, decision) => {
    expect(decideFire(fireFacts(facts), 0, NOW)).toMatchObject(decision);
  });

  test('first the row itself, then expiry, pause, the slot, calling hours, the guardrails, a caller ID; else the claim', () => {
    for (let subset = 0; subset < 2 ** OBSTACLES.length; subset++) {
      const standing = OBSTACLES.filter((_, index) => (subset >> index) & 1);
      const facts = deepFreeze(fireFacts(merged<FireFacts>(standing.map(([, changed]) => changed))));
      const expected = standing[0]?.[2] ?? { kind: 'claimed', callerId: AGENT_NUMBER };
      expect(decideFire(facts, 0, NOW)).toMatchObject(expected);
    }
  });

  test.each(CALL_STATES)('a call that is %s is claimed if and only if that is pending', (status) => {
    const kind = isPending(status) ? 'claimed' : 'ignored';
    expect(decideFire(fireFacts({ status }), 0, NOW).kind).toBe(kind);
  });

  test('a wake-up of an older or a later generation ends without effect, even on an expired call', () => {
    for (const expiresAt of [before(1), after(1)]) {
      const facts = fireFacts({ generation: 1, expiresAt });
      expect(decideFire(facts, 0, NOW)).toEqual({ kind: 'ignored', why: 'old_generation' });
      expect(decideFire(facts, 2, NOW)).toEqual({ kind: 'ignored', why: 'old_generation' });
    }
  });

  test('it expires at its expiry, not a millisecond sooner', () => {
    expect(decideFire(fireFacts({ expiresAt: NOW }), 0, NOW)).toEqual(EXPIRED);
    expect(decideFire(fireFacts({ expiresAt: after(1) }), 0, NOW).kind).toBe('claimed');
  });

  test('a pause does not stop expiry, but everything else', () => {
    expect(decideFire(fireFacts({ paused: true, expiresAt: NOW }), 0, NOW)).toEqual(EXPIRED);
    expect(decideFire(fireFacts({ paused: true }), 0, NOW)).toEqual({ kind: 'ignored', why: 'paused' });
  });

  test('it may go at its slot; before, it waits for the rest', () => {
    expect(decideFire(fireFacts({ runsAt: NOW }), 0, NOW).kind).toBe('claimed');
    expect(decideFire(fireFacts({ runsAt: after(1_234) }), 0, NOW)).toEqual({
      kind: 'early',
      delayMs: 1_234,
    });
  });

  test('found outside hours, it gets the next slot, and its expiry moves with it', () => {
    const facts = fireFacts({ acceptedAt: before(HOUR), hours: hoursFacts({ callingHours: MONDAYS }) });
    expect(decideFire(facts, 0, NOW)).toEqual({
      kind: 'rescheduled',
      runsAt: NEXT_MONDAY,
      expiresAt: after(DAY, NEXT_MONDAY),
    });
  });

  test('it ends where the next slot is more than 7 days after acceptance, and after its promised slot’s expiry', () => {
    const facts = fireFacts({ acceptedAt: before(6 * DAY), hours: hoursFacts({ callingHours: MONDAYS }) });
    expect(decideFire(facts, 0, NOW)).toEqual({ kind: 'expired', cause: 'next_slot_too_late' });
    const promised = fireFacts({ ...facts, firstRunsAt: before(DAY, NEXT_MONDAY) });
    expect(decideFire(promised, 0, NOW)).toMatchObject({ kind: 'rescheduled', runsAt: NEXT_MONDAY });
  });

  test.each(GUARDRAIL_REASONS)('%s blocks it, with the decision of all rules', (reason) => {
    const guardrails = guardrailFacts(REFUSING[reason]);
    expect(decideFire(fireFacts({ guardrails }), 0, NOW)).toEqual({
      kind: 'blocked',
      reason,
      decision: judge(guardrails, NOW),
    });
  });

  test('a chosen pool without a usable number blocks it, although the agent has a number', () => {
    const callerId = callerIdCandidates({ requestPool: { pick: null } });
    const decision = decideFire(fireFacts({ callerId }), 0, NOW);
    expect(decision).toMatchObject({ kind: 'blocked', reason: 'NO_CALLER_ID', decision: { allow: true } });
  });

  test('the claim carries the caller ID and the decision by which it was made', () => {
    expect(decideFire(fireFacts(), 0, NOW)).toEqual({
      kind: 'claimed',
      callerId: AGENT_NUMBER,
      decision: judge(guardrailFacts(), NOW),
    });
  });

  test('a call counted this month goes out although the plan is used up, in a new month it is judged anew', () => {
    const counted = { ...REFUSING.PLAN_LIMIT, countedThisMonth: true };
    expect(decideFire(fireFacts({ guardrails: guardrailFacts(counted) }), 0, NOW).kind).toBe('claimed');
    const anew = { ...counted, countedThisMonth: false };
    expect(decideFire(fireFacts({ guardrails: guardrailFacts(anew) }), 0, NOW)).toMatchObject({
      kind: 'blocked',
      reason: 'PLAN_LIMIT',
    });
  });
});
