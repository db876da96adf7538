import { zoneOf, zoneSourceOf } from '../../domain/calling-hours.js';
import { type CallerIdSource, resolveCallerId } from '../../domain/caller-id.js';
import { recordOf } from '../../domain/compliance/record.js';
import { complianceView, type ComplianceView } from '../../domain/compliance/view.js';
import { disclosuresOf } from '../../domain/compliance/disclosures.js';
import { TRIGGER_FIELDS } from '../../domain/contact-fields.js';
import { firstAllowedAt } from '../../domain/first-allowed.js';
import {
  type Decision,
  type GuardrailReason,
  evaluateGuardrails,
} from '../../domain/guardrails/guardrails.js';
import { type Warned, warned as warnedOf } from '../../domain/near-misses.js';
import { warningsAboutScript } from '../../domain/template-warnings.js';
import { type TriggerDecision, type TriggerFacts } from '../../domain/trigger-decision.js';
import { type ContactFactColumns } from '../../dialing/claim/agent-facts.sql.js';
import { scriptOf } from '../../dialing/claim/agent-facts.js';
import { render } from '../../dialing/claim/script.js';
import { REFUSALS } from '../trigger/refusals.js';
import { type TriggerCommand } from '../trigger/command.js';
import { type TriggerRequest } from '../trigger/request.js';
import { type ScriptRow } from './explain.sql.js';

/**
 * What a trigger with the same request would do, and warnings about the request and the agent's templates.
 * Instants are ISO 8601 in UTC.
 */
export interface Explanation extends Warned {
  wouldBe: 'queued' | 'scheduled' | 'refused';
  /** The HTTP status of the trigger's answer. */
  status: number;
  /** The reason of a refusal. */
  reason: GuardrailReason | null;
  message: string | null;
  /** When a scheduled call would be due. */
  runsAt: string | null;
  /** The zones in which calling hours are evaluated. */
  zones: string[];
  zoneSource: 'request' | 'contact' | 'agent';
  callerId: { source: CallerIdSource | null; candidates: string[] };
  /** Every guardrail, evaluated now, also where the call would wait for its opening. */
  rules: Decision['rules'];
  /** What packs say now; absent for a team whose compliance is `off`. */
  compliance?: ComplianceView;
  /** When the call could first be dialed if the facts stay as they are; null: waiting does not help. */
  firstAllowedAt: string | null;
  prompt: string;
  firstMessage: string;
  unknownPlaceholders: string[];
}

/** @param decision the trigger's decision by these facts. */
export function explanationOf(
  { request, warned: { warnings = [] } }: Pick<TriggerCommand, 'request' | 'warned'>,
  facts: TriggerFacts,
  decision: Exclude<TriggerDecision, { kind: 'refused' }>,
  row: ScriptRow,
  now: Date,
): Explanation {
  const { hours } = facts;
  const { notBefore } = request.window;
  const disclosures = disclosuresOf(facts.guardrails.compliance, now);
  const script = scriptOf(withSent(request, row), request.variables, disclosures);
  const refusal = decision.kind === 'blocked' ? REFUSALS[decision.reason] : null;
  return {
    wouldBe: decision.kind === 'blocked' ? 'refused' : decision.kind,
    status: refusal?.status ?? 200,
    reason: decision.kind === 'blocked' ? decision.reason : null,
    message: refusal?.message ?? null,
    runsAt: decision.kind === 'scheduled' ? decision.runsAt.toISOString() : null,
    zones: [zoneOf(hours)],
    zoneSource: zoneSourceOf(hours),
    callerId: callerIdOf(request, facts, row),
    rules: evaluateGuardrails(facts.guardrails, now).rules,
    ...complianceOf(facts, now),
    firstAllowedAt: firstAllowedAt(hours, facts.guardrails, now, notBefore ?? now)?.toISOString() ?? null,
    ...render(script),
    ...warnedOf([...warnings, ...warningsAboutScript(script, script)]),
  };
}

function complianceOf(
  { guardrails: { compliance } }: TriggerFacts,
  now: Date,
): Pick<Explanation, 'compliance'> {
  if (compliance === null) return {};
  return { compliance: complianceView(recordOf(compliance, now), compliance.applicable.packs) };
}

/** The numbers that the claim would choose from. */
function callerIdOf(
  { fromPhoneNumber }: TriggerRequest,
  { callerId }: TriggerFacts,
  { pool_numbers: pool, agent_phone_number: agentNumber }: ScriptRow,
): Explanation['callerId'] {
  const choice = resolveCallerId(callerId);
  if (!choice.ok) return { source: null, candidates: [] };
  const { source } = choice;
  const candidates = {
    request_pool: pool,
    agent_pool: pool,
    from_number: [fromPhoneNumber],
    agent_number: [agentNumber],
  }[source];
  return { source, candidates: candidates.flatMap((number) => number ?? []) };
}

/** The contact as the trigger would store it. */
function withSent({ contact }: TriggerRequest, row: ScriptRow) {
  const sent: Partial<ContactFactColumns> = {};
  for (const { name, column } of TRIGGER_FIELDS) {
    const key = `contact_${column}` as const;
    sent[key] = contact[name] ?? row[key];
  }
  return {
    ...row,
    ...sent,
    contact_id: row.contact_id ?? '',
    contact_custom_properties: row.contact_custom_properties ?? {},
  };
}
