import { ONLY_ATTEMPT, withAttempt } from '../../domain/attempt-variables.js';
import { type HistoryEntry } from '../../domain/call-states.js';
import { type Disclosure, missingDisclosures } from '../../domain/compliance/disclosures.js';
import { type Decision } from '../../domain/guardrails/guardrails.js';
import { type ClaimedCall } from '../dial.service.js';
import { type AgentFactsRow } from './agent-facts.sql.js';
import { type RenderedScript } from './script.js';
import { type NewClaim } from './claim.sql.js';

/** The decision to claim a call. */
export interface ClaimDecision {
  callerId: string;
  carrier: string;
  script: RenderedScript;
  decision: Decision;
  /** What must be said in the call. */
  disclosures: readonly Disclosure[];
}

/** The facts of a call that is to be claimed. */
export interface ClaimedRow extends AgentFactsRow {
  id: string;
  generation: number;
  now: Date;
  variables: Record<string, unknown>;
  monthly_call_limit: number | null;
}

/** The claim to write, and the call to dial once the claim is committed. */
export function claimOf(
  row: ClaimedRow,
  { callerId, carrier, script, decision, disclosures }: ClaimDecision,
  dialing: Pick<ClaimedCall, 'pacingSlot' | 'requestId' | 'ofCampaign' | 'dialAt'>,
): { claim: NewClaim; call: ClaimedCall } {
  const { prompt, firstMessage, unknownPlaceholders } = script;
  // The statement itself fills in `from`.
  const warning = missingDisclosures([row.prompt_template, row.first_message_template], disclosures);
  const entry: HistoryEntry = { at: row.now.toISOString(), from: null, to: 'dialing', cause: 'claimed' };
  return {
    claim: {
      id: row.id,
      generation: row.generation,
      now: row.now,
      caller_id: callerId,
      prompt,
      first_message: firstMessage,
      unknown_placeholders: unknownPlaceholders,
      carrier,
      entry,
      decision: warning === null ? decision : withWarning(decision, warning),
      limited: row.monthly_call_limit !== null,
    },
    call: {
      ...dialing,
      carrier,
      carrierAccountId: row.carrier_account_id,
      request: {
        callRequestId: row.id,
        generation: row.generation,
        teamId: row.team_id,
        agentId: row.agent_id,
        to: row.phone_number,
        from: callerId,
        prompt,
        firstMessage,
        variables: withAttempt(row.variables, ONLY_ATTEMPT),
        ...(disclosures.length > 0 && { disclosures }),
        carrierSettings: row.carrier_settings,
      },
      claimedAtMonotonic: performance.now(),
    },
  };
}

function withWarning(decision: Decision, text: string): Decision {
  const warning = { key: 'promptTemplate', text } as const;
  return { ...decision, warnings: [...(decision.warnings ?? []), warning] };
}
