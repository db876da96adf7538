import { exempted } from '../../domain/campaigns/decide/clock-rules.js';
import { decide, decideWithoutSteps } from '../../domain/campaigns/decide/decide.js';
import { type WaitingFor } from '../../domain/campaigns/decide/decision.js';
import { type EnrollmentState } from '../../domain/campaigns/decide/enrollment.js';
import { type CampaignFacts, zoneOfContact } from '../../domain/campaigns/decide/facts.js';
import { type CampaignDefinition } from '../../domain/campaigns/definition/definition.js';
import { addDuration } from '../../domain/campaigns/duration.js';
import { isOpen } from '../../domain/calling-hours.js';
import { isHours } from '../../domain/compliance/compliance-case.js';
import { judge } from '../../domain/compliance/judge.js';
import { evaluateGuardrails } from '../../domain/guardrails/guardrails.js';
import { localTime } from '../../domain/zones/local-time.js';
import { AccountLimits } from '../../dialing/account-limits/account-limits.js';
import { type LimitedAccountRow } from '../../dialing/account-limits/account-limits.sql.js';
import { stateOf } from './facts.js';
import { type EnrollmentFactsRow } from './facts.sql.js';

/** How long after it is due a dial counts as waiting for others, in milliseconds. The engine looks each second. */
const BEFORE_IT_WAITS_MS = 3_000;

/** Why an enrollment is not dialed now. */
export interface WhyNot {
  /** A value of `waitingFor`. It is computed when the enrollment is read. */
  rule: string;
  /** The facts by which the rule decides. */
  evidence: Record<string, unknown>;
  /**
   * The next instant at which the enrollment is dialed if nothing changes. Null if only a change, a call or a
   * report leads to a dial, or if the lifetime ends first.
   */
  retryAt: string | null;
}

/** The rules that only a change ends, even where the enrollment has the instant of a next attempt. */
const PAUSES: ReadonlySet<WaitingFor> = new Set(['draft', 'paused']);

/**
 * Why an enrollment is not dialed whose version places no calls. Null once its lifetime is over, because it
 * then ends.
 *
 * @param definition null: the version was stored before definitions were validated.
 */
export function whyNotWithoutSteps(
  row: EnrollmentFactsRow,
  definition: CampaignDefinition | null,
): WhyNot | null {
  const lifetime = definition?.caps.lifetime ?? null;
  const end = lifetime && addDuration(row.enrolled_at, lifetime, row.contact_timezone ?? 'UTC');
  if (decideWithoutSteps(end, row.now).kind === 'end') return null;
  const evidence = { versionId: row.version_id, storedUnvalidated: definition === null };
  return { rule: 'no_steps', evidence, retryAt: null };
}

/**
 * The rule that prevents the dial of an enrollment, by the current facts. Null if no rule prevents its next
 * action: a dial by a reachable carrier, the entry of a step, or the end.
 *
 * @param caps the caps as the definition's JSON states them, for the evidence.
 * @param account the agent's carrier account, if it has a limit.
 */
export function whyNotOf(
  row: EnrollmentFactsRow,
  definition: CampaignDefinition,
  caps: Readonly<Record<string, unknown>>,
  facts: CampaignFacts,
  account?: LimitedAccountRow,
): WhyNot | null {
  const state = stateOf(row);
  const decision = decide(state, definition, facts, row.now);
  const evidence = (rule: WaitingFor) => evidenceOf(rule, row, state, { definition, caps }, facts);
  if (decision.kind === 'dial') {
    const until = carrierAwayUntil(row);
    if (until) return { rule: 'carrier', evidence: evidence('carrier'), retryAt: until.toISOString() };
    const limit = account && limitOf(row, account);
    if (limit)
      return { rule: limit.rule, evidence: { ...evidence(limit.rule), ...limit.evidence }, retryAt: null };
    if (row.now.getTime() - decision.dueAt.getTime() < BEFORE_IT_WAITS_MS || !isInLine(row)) return null;
    // The slot that is free at this instant belongs to a dial before it.
    const rule =
      row.pacing?.callsPerMinute == null || row.waiting_for === 'concurrency' ? 'concurrency' : 'pacing';
    return { rule, evidence: evidence(rule), retryAt: null };
  }
  if (decision.kind !== 'defer' && decision.kind !== 'hold') return null;
  const { waitingFor, nextAttemptAt, lookAt } = decision;
  const until = waitingFor === 'result' ? { until: lookAt.toISOString() } : {};
  return {
    rule: waitingFor,
    evidence: { ...evidence(waitingFor), ...until },
    retryAt: PAUSES.has(waitingFor) ? null : (nextAttemptAt?.toISOString() ?? null),
  };
}

/** The limit of the carrier account that the dial waits for. */
function limitOf(
  row: EnrollmentFactsRow,
  account: LimitedAccountRow,
): { rule: 'concurrency' | 'pacing'; evidence: Record<string, unknown> } | undefined {
  const { kind } = new AccountLimits([account]).roomFor(row, true);
  if (kind === 'free') return undefined;
  const evidence =
    kind === 'pacing'
      ? { accountCallsPerSecond: account.calls_per_second }
      : { accountLimit: account.max_concurrent, activeOfAccount: account.active };
  return { rule: kind, evidence: { ...evidence, carrierAccountId: account.id } };
}

/**
 * Whether the dial is due since a while: others are dialed before it. Such an enrollment keeps its `look_at`.
 */
function isInLine({ look_at: lookAt, now }: EnrollmentFactsRow): boolean {
  return lookAt !== null && now.getTime() - lookAt.getTime() >= BEFORE_IT_WAITS_MS;
}

/**
 * The instant until which the carrier counts as unreachable. Only the worker knows it, and stores it on the
 * enrollment.
 */
function carrierAwayUntil({
  waiting_for: waitingFor,
  next_attempt_at: at,
  now,
}: EnrollmentFactsRow): Date | null {
  return waitingFor === 'carrier' && at !== null && at > now ? at : null;
}

function evidenceOf(
  rule: WaitingFor,
  row: EnrollmentFactsRow,
  state: EnrollmentState,
  version: { definition: CampaignDefinition; caps: Readonly<Record<string, unknown>> },
  facts: CampaignFacts,
): Record<string, unknown> {
  // Requested callbacks are treated like other dials here. The team's setting can exempt a callback from the
  // re-dial window. An exempted callback never waits for the window, so the window's evidence is not needed.
  const withoutExempt = exempted(facts, state.attempts, false);
  const { rules } = evaluateGuardrails(facts.guardrails, row.now, withoutExempt);
  const reason = rule === 'zone' ? 'ZONE_UNKNOWN' : rule;
  const evaluated = rules.find((one) => one.reason === reason);
  if (evaluated) return evaluated.evidence;
  const evidence: Partial<Record<WaitingFor, Record<string, unknown>>> = {
    // Only here is the zone sure to be known.
    hours: rule === 'hours' ? hoursEvidence(version.definition, facts, row.now) : {},
    caps: {
      caps: version.caps,
      callsToNumber: callsInWindows(version.definition, facts, row.now),
      lastConversationAt: facts.lastConversationAt?.toISOString() ?? null,
    },
    number_busy: { expiresAt: facts.otherCall?.expiresAt.toISOString() ?? null },
    draft: pauseEvidence(state, facts),
    paused: pauseEvidence(state, facts),
    pacing: { callsPerMinute: row.pacing?.callsPerMinute ?? null, startedInLastMinute: row.claims_in_minute },
    concurrency: {
      teamLimit: row.max_concurrent_calls,
      active: row.active_calls,
      waitingCalls: row.waiting_calls,
      campaignLimit: row.pacing?.maxConcurrentCalls ?? null,
      activeOfCampaign: row.campaign_active,
    },
    caller_id: { agentId: row.agent_id },
  };
  // The evidence of the other rules is the step and the last call.
  return (
    evidence[rule] ?? {
      step: state.stepKey,
      enrolledAt: state.enrolledAt.toISOString(),
      lastCall: lastCallOf(row, state),
    }
  );
}

function pauseEvidence({ paused }: EnrollmentState, facts: CampaignFacts) {
  return { campaign: facts.campaignStatus, teamOrPlatform: facts.paused, enrollment: paused };
}

function hoursEvidence({ hours, closedDates }: CampaignDefinition, facts: CampaignFacts, now: Date) {
  const zone = zoneOfContact(facts);
  return {
    timezone: zone,
    localTime: localTime(zone, now),
    openForAgent: isOpen(facts.agent, zone, now),
    openForCampaign: isOpen({ callingHours: hours, closedDates }, zone, now),
    ...closedByLaw(facts, now),
  };
}

/** The enforced rules of packs by which the time is closed, and the zones in which the person may be. */
function closedByLaw({ guardrails: { compliance } }: CampaignFacts, now: Date) {
  if (compliance === null || compliance.lawfulHours.length === 0) return {};
  const closed = judge(compliance, now).verdicts.filter(
    ({ rule, verdict }) => isHours(rule) && verdict === 'refuse',
  );
  return { closedByLaw: closed.map(({ rule }) => rule.id), zones: compliance.facts.place.zones };
}

/** For each of `caps.perNumber`: how many processed calls to the number are within its window. */
function callsInWindows({ caps }: CampaignDefinition, facts: CampaignFacts, now: Date): number[] {
  const zone = zoneOfContact(facts);
  return caps.perNumber.map(
    ({ per }) => facts.processedToNumber.filter((at) => addDuration(new Date(at), per, zone) > now).length,
  );
}

function lastCallOf(row: EnrollmentFactsRow, { attempts }: EnrollmentState) {
  const last = attempts.at(-1);
  if (last === undefined) return null;
  const seq = row.attempts?.at(-1)?.seq ?? null;
  return { seq, outcome: last.outcome, endedAt: last.endedAt?.toISOString() ?? null };
}
