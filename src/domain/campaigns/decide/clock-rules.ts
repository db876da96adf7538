import { nextOpening, type Schedule } from '../../calling-hours.js';
import { type LawfulHours } from '../../compliance/lawful-hours.js';
import { nextLawfulOpening } from '../../compliance/openings.js';
import { type GuardrailFacts } from '../../guardrails/guardrail.js';
import { type CampaignDefinition } from '../definition/definition.js';
import { isTimeZone } from '../../zones/time-zone.js';
import { addDuration } from '../duration.js';
import { type WaitingFor } from './decision.js';
import { type Attempt } from './enrollment.js';
import { type CampaignFacts, zoneOfContact } from './facts.js';
import { guardrailsFor } from './guardrail-kinds.js';

/** A rule whose refusal can end with time. */
export interface ClockRule {
  waitingFor: WaitingFor;
  /**
   * The first instant at or after `from` at which the rule allows the dial, by the same facts; null if
   * waiting does not help.
   */
  earliest: (from: Date) => Date | null;
}

/** Calling hours cannot be evaluated, and waiting does not help. */
const UNKNOWN_ZONE: ClockRule = { waitingFor: 'zone', earliest: () => null };

const NO_LAW: readonly LawfulHours[] = [];
const DAY_MS = 86_400_000;
const LONGEST_SEARCH_MS = 400 * DAY_MS;

/** Outcomes after which a team can allow its campaigns to dial again within the re-dial window. */
const EXEMPT = new Set<Attempt['outcome']>(['busy', 'no_answer', 'failed']);

/**
 * The clock rules for one dial. If several rules refuse, the first in this order is the one that the
 * enrollment waits for.
 */
export function clockRules(
  definition: CampaignDefinition,
  facts: CampaignFacts,
  attempts: readonly Attempt[],
  callback: boolean,
): ClockRule[] {
  const zone = zoneOfContact(facts);
  if (!isTimeZone(zone)) return [UNKNOWN_ZONE];
  const { caps } = definition;
  const hours = { callingHours: definition.hours, closedDates: definition.closedDates };
  const lawful = facts.guardrails.compliance?.lawfulHours ?? NO_LAW;
  const { agent, keptOpenings } = facts;
  const within = withinBoth(agent, hours, zone, lawful);
  const rules: ClockRule[] = [
    { waitingFor: 'hours', earliest: keptOpenings?.keeping({ agent, lawful, zone }, within) ?? within },
  ];
  for (const guardrail of guardrailsFor('clock', facts.guardrails)) {
    const seen = guardrail.exemptibleForRetries ? exempted(facts, attempts, callback) : facts.guardrails;
    rules.push({
      waitingFor: guardrail.reason,
      earliest: (from) => {
        const result = guardrail.check(seen, from);
        if (result.allow) return from;
        return result.retryAt === undefined ? null : new Date(result.retryAt);
      },
    });
  }
  for (const { count, per } of caps.perNumber) {
    const leaving = facts.processedToNumber
      .map((at) => addDuration(new Date(at), per, zone))
      .sort((a, b) => a.getTime() - b.getTime());
    rules.push({ waitingFor: 'caps', earliest: (from) => firstWithFewer(leaving, count, from) });
  }
  const { afterConversation } = caps;
  if (afterConversation && facts.lastConversationAt && !callback) {
    const rested = addDuration(facts.lastConversationAt, afterConversation, zone);
    rules.push({ waitingFor: 'caps', earliest: (from) => (rested > from ? rested : from) });
  }
  return rules;
}

/**
 * The first instant at or after `from` at which all rules allow the dial, or the rule for which waiting does
 * not help.
 */
export function firstAgreement(
  rules: readonly ClockRule[],
  from: Date,
): { at: Date } | { at: null; waitingFor: WaitingFor } {
  let at = from;
  for (let settled = false; !settled;) {
    settled = true;
    for (const { waitingFor, earliest } of rules) {
      const next = earliest(at);
      if (next === null) return { at: null, waitingFor };
      if (next > at) settled = false;
      at = next;
    }
  }
  return { at };
}

/**
 * The first instant at or after `from` at which fewer than `count` calls count. Each call stops counting at
 * its instant in `leaving`, which is ascending.
 */
function firstWithFewer(leaving: readonly Date[], count: number, from: Date): Date {
  const left = leaving.filter((at) => at > from);
  return left[left.length - count] ?? from;
}

/**
 * The facts for guardrails that are `exemptibleForRetries`. The calls that the team's
 * `retryWithinRedialWindow` exempts are left out.
 */
export function exempted(
  facts: CampaignFacts,
  attempts: readonly Attempt[],
  callback: boolean,
): GuardrailFacts {
  const { guardrails, retryWithinRedialWindow } = facts;
  if (!retryWithinRedialWindow) return guardrails;
  if (callback) return { ...guardrails, processedAt: [] };
  const own = new Set(
    attempts.filter(({ outcome }) => EXEMPT.has(outcome)).map(({ processedAt }) => processedAt?.getTime()),
  );
  return { ...guardrails, processedAt: guardrails.processedAt.filter((at) => !own.has(at)) };
}

/**
 * Finds instants inside the hours of both the agent and the campaign, and of the law. The search is bounded: schedules
 * repeat weekly, and each closed date postpones a common opening by one week at most. How many dates the law closes is
 * not counted.
 */
function withinBoth(
  agent: Schedule,
  campaign: Schedule,
  zone: string,
  lawful: readonly LawfulHours[],
): ClockRule['earliest'] {
  const ofAgent = (from: Date) => nextLawfulOpening(agent, zone, lawful, from);
  if (campaign.callingHours === null && campaign.closedDates.length === 0) return ofAgent;
  const weeks = 2 + agent.closedDates.length + campaign.closedDates.length;
  const searched = lawful.length > 0 ? LONGEST_SEARCH_MS : Math.min(weeks * 7 * DAY_MS, LONGEST_SEARCH_MS);
  return (from) => {
    for (let at = from; at.getTime() - from.getTime() <= searched;) {
      const opening = ofAgent(at);
      if (opening === null) return null;
      at = nextOpening(campaign, zone, opening);
      if (at.getTime() === opening.getTime()) return at;
    }
    return null;
  };
}
