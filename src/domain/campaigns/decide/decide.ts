import { type CampaignDefinition } from '../definition/definition.js';
import { addDuration } from '../duration.js';
import { clockRules, firstAgreement } from './clock-rules.js';
import { type CampaignDecision, type End, type WaitingFor } from './decision.js';
import { type EnrollmentState } from './enrollment.js';
import { type CampaignFacts, zoneOfContact } from './facts.js';
import { guardrailsFor } from './guardrail-kinds.js';
import { obstacleOf } from './obstacles.js';
import { type NextAction, nextActionOf } from './next-action.js';

/** The longest time until a held enrollment is decided again. */
export const SECOND_LOOK_MS = 60_000;

/**
 * Decides about a live enrollment at `now`. A refusal that protects the contact ends the enrollment, a
 * refusal by time defers it, and a refusal by configuration holds it. Pure. Each instant of the decision
 * assumes that the facts do not change.
 *
 * @param definition is validated. Enrollments on versions that were stored before definitions were validated
 *   are never decided.
 */
export function decide(
  enrollment: EnrollmentState,
  definition: CampaignDefinition,
  facts: CampaignFacts,
  now: Date,
): CampaignDecision {
  const zone = zoneOfContact(facts);
  const { lifetime } = definition.caps;
  const lifetimeAt = lifetime && addDuration(enrollment.enrolledAt, lifetime, zone);
  const next = nextActionOf(enrollment, definition, zone, now);
  // An end that a call caused counts, even if it is decided after an exit or the end of the lifetime.
  if (next?.kind === 'end' && (lifetimeAt === null || next.since < lifetimeAt)) {
    return { kind: 'end', ...next.end };
  }
  const exit = exitOf(facts, now);
  if (exit) return { kind: 'end', ...exit };
  if (lifetimeAt && lifetimeAt <= now) return { kind: 'end', status: 'exited', endReason: 'lifetime' };
  if (!next || next.kind === 'end') return { kind: 'idle', lookAt: lifetimeAt };
  if (next.kind === 'move') return { kind: 'move', stepKey: next.stepKey };
  return within(lifetimeAt, liveDecision(next, enrollment, definition, facts, now));
}

/**
 * Decides about an enrollment on a version without steps. The version makes no calls, and only the lifetime
 * ends the enrollment.
 */
export function decideWithoutSteps(
  lifetimeAt: Date | null,
  now: Date,
): Extract<CampaignDecision, { kind: 'end' | 'idle' }> {
  if (lifetimeAt === null || lifetimeAt > now) return { kind: 'idle', lookAt: lifetimeAt };
  return { kind: 'end', status: 'exited', endReason: 'lifetime' };
}

/** Ends that depend neither on calls nor on the time of day. */
function exitOf({ campaignStatus, contactDeleted, guardrails }: CampaignFacts, now: Date): End | undefined {
  if (campaignStatus === 'archived') return { status: 'exited', endReason: 'archived' };
  if (contactDeleted) return { status: 'exited', endReason: 'contact_deleted' };
  const refused = guardrailsFor('person', guardrails).some(({ check }) => !check(guardrails, now).allow);
  return refused ? { status: 'exited', endReason: 'suppressed' } : undefined;
}

function liveDecision(
  next: Exclude<NextAction, { kind: 'end' | 'move' }>,
  enrollment: EnrollmentState,
  definition: CampaignDefinition,
  facts: CampaignFacts,
  now: Date,
): CampaignDecision {
  switch (next.kind) {
    case 'report':
      return hold(next.waitingFor, null, now, false);
    case 'result':
      return {
        kind: 'defer',
        waitingFor: 'result',
        nextAttemptAt: null,
        lookAt: next.until,
        callback: false,
      };
    case 'dial':
      return dialDecision(next, enrollment, definition, facts, now);
  }
}

function dialDecision(
  next: Extract<NextAction, { kind: 'dial' }>,
  { paused, notBefore, attempts }: EnrollmentState,
  definition: CampaignDefinition,
  facts: CampaignFacts,
  now: Date,
): CampaignDecision {
  const { step, callback } = next;
  // A deleted agent cannot be restored.
  if (facts.agent.deleted) return { kind: 'end', status: 'failed', endReason: 'not_dialable' };
  const rules = clockRules(definition, facts, attempts, callback);
  const dueAt = notBefore && notBefore > next.dueAt ? notBefore : next.dueAt;
  const first = firstAgreement(rules, dueAt > now ? dueAt : now);
  if (paused || facts.paused || facts.campaignStatus !== 'active') {
    const waitingFor = facts.campaignStatus === 'draft' ? 'draft' : 'paused';
    return hold(waitingFor, first.at !== null && first.at > now ? first.at : null, now, callback);
  }
  // From `dueAt` on, the enrollment may wait for another rule.
  if (dueAt > now) return { ...defer(next.waitingFor, first.at, now, callback), lookAt: dueAt };
  if (first.at === null) return hold(first.waitingFor, null, now, callback);
  if (first.at > now) {
    const binding = rules.find(({ earliest }) => (earliest(now) ?? now) > now);
    // When this rule allows the dial, another rule may still refuse it.
    const lookAt = binding?.earliest(now) ?? first.at;
    return { ...defer(binding?.waitingFor ?? 'hours', first.at, now, callback), lookAt };
  }
  const obstacle = obstacleOf(facts, now);
  if (obstacle) {
    const until = obstacle.until && firstAgreement(rules, obstacle.until).at;
    return (obstacle.kind === 'defer' ? defer : hold)(obstacle.waitingFor, until, now, callback);
  }
  const { variables } = definition;
  const { waitingFor } = next;
  return { kind: 'dial', stepKey: step.key, agentId: step.agentId, variables, callback, waitingFor, dueAt };
}

function defer(waitingFor: WaitingFor, nextAttemptAt: Date | null, now: Date, callback: boolean) {
  const lookAt = nextAttemptAt ?? secondLook(now);
  return { kind: 'defer', waitingFor, nextAttemptAt, lookAt, callback } as const;
}

function hold(waitingFor: WaitingFor, nextAttemptAt: Date | null, now: Date, callback: boolean) {
  return { kind: 'hold', waitingFor, nextAttemptAt, lookAt: secondLook(now), callback } as const;
}

const secondLook = (now: Date) => new Date(now.getTime() + SECOND_LOOK_MS);

/** The end of the lifetime bounds every wait. */
function within(lifetimeAt: Date | null, decision: CampaignDecision): CampaignDecision {
  if (lifetimeAt === null || (decision.kind !== 'defer' && decision.kind !== 'hold')) return decision;
  const { nextAttemptAt, lookAt } = decision;
  return {
    ...decision,
    nextAttemptAt: nextAttemptAt && nextAttemptAt < lifetimeAt ? nextAttemptAt : null,
    lookAt: lookAt < lifetimeAt ? lookAt : lifetimeAt,
  };
}
