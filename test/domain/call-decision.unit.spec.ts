import { decideFire } from '../../src/domain/fire-decision.js';
import { decideTrigger, type TriggerDecision } from '../../src/domain/trigger-decision.js';
import { zoneOf } from '../../src/domain/calling-hours.js';
import { GUARDRAIL_REASONS, evaluateGuardrails } from '../../src/domain/guardrails/guardrails.js';
import {
  callerIdFacts,
  combinations,
  deepFreeze,
  fireFacts,
  FRIDAYS,
  guardrailFacts,
  hoursFacts,
  merged,
  MONDAYS,
  NEXT_MONDAY,
  NOW,
  REFUSING,
  triggerFacts,
} from './support/facts.js';

const FIRING_REASONS = GUARDRAIL_REASONS.filter(
  (reason) => reason !== 'COUNTRY_NOT_ALLOWED' && reason !== 'ZONE_UNKNOWN',
);

describe('calling hours use the time zone', () => {
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

  test('one instant is inside in one zone and outside in another, at the trigger and at the firing', () => {
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

describe('a trigger', () => {
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

  test('checks the country, then the caller ID, then calling hours, then the guardrails', () => {
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

  test('outside calling hours schedules a call even if every guardrail refuses', () => {
    const guardrails = guardrailFacts(merged(FIRING_REASONS.map((reason) => REFUSING[reason])));
    const hours = hoursFacts({ callingHours: MONDAYS });
    expect(decideTrigger(triggerFacts({ hours, guardrails }), NOW)).toEqual({
      kind: 'scheduled',
      runsAt: NEXT_MONDAY,
    });
  });

  test.each(FIRING_REASONS)(
    'inside calling hours is blocked by %s, with the decisions of all rules',
    (reason) => {
      const guardrails = guardrailFacts(REFUSING[reason]);
      expect(decideTrigger(triggerFacts({ guardrails }), NOW)).toEqual({
        kind: 'blocked',
        reason,
        decision: evaluateGuardrails(guardrails, NOW),
      });
    },
  );

  test.each([
    ['FROM_NUMBER_INVALID', { fromNumber: { usable: false } }],
    ['NUMBER_POOL_INVALID', { requestPool: { known: false, usable: false } }],
    ['NO_CALLER_ID', { agentNumber: { usable: false } }],
  ] as const)('is refused for %s, inside and outside calling hours', (reason, callerId) => {
    for (const callingHours of [FRIDAYS, MONDAYS]) {
      const facts = triggerFacts({ hours: hoursFacts({ callingHours }), callerId: callerIdFacts(callerId) });
      expect(decideTrigger(facts, NOW)).toEqual({ kind: 'refused', reason });
    }
  });
});
