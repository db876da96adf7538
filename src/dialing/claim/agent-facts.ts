import { ONLY_ATTEMPT, withAttempt } from '../../domain/attempt-variables.js';
import { type CallerIdCandidates, pickFromPool } from '../../domain/caller-id.js';
import { type Disclosure, withDisclosures } from '../../domain/compliance/disclosures.js';
import { type ContactFieldValues } from '../../domain/contact-fields.js';
import { parsePhoneNumber } from '../../domain/phone-number.js';
import { type GuardrailFacts, type TeamRules } from '../../domain/guardrails/guardrail.js';
import { type AgentFactsRow, CONTACT_FACTS, type ContactFactColumns } from './agent-facts.sql.js';
import { type Script } from './script.js';

/**
 * The country of the number, and whether its range is unknown. Unless a setting of the team needs them, the
 * number is not parsed, and they are null and false: parsing costs more than all other rules together.
 */
export function rangeOf(
  phoneNumber: string,
  { allowedCountries, acceptUnknownRanges }: Pick<TeamRules, 'allowedCountries' | 'acceptUnknownRanges'>,
): Pick<GuardrailFacts, 'country' | 'unknownRange'> {
  if (allowedCountries === null && !acceptUnknownRanges) return { country: null, unknownRange: false };
  const parsed = parsePhoneNumber(phoneNumber, null, 'phoneNumber', acceptUnknownRanges);
  if (!parsed.ok) return { country: null, unknownRange: false };
  return { country: parsed.country, unknownRange: parsed.unknownRange === true };
}

/**
 * The caller IDs that the agent names.
 * @param picks how often the earlier claims of the batch have picked each number.
 */
export function agentCallerIdsOf(row: AgentFactsRow, picks: ReadonlyMap<string, number>): CallerIdCandidates {
  return {
    requestPool: null,
    fromNumber: null,
    agentPool: poolPick(row.agent_number_pool_id, row, picks),
    agentNumber: numberPick(row.agent_phone_number, row.agent_number_usable),
  };
}

export function poolPick(pool: string | null, row: AgentFactsRow, picks: ReadonlyMap<string, number>) {
  return pool === null ? null : { pick: pickFromPool(row.pool_numbers, picks) };
}

export function numberPick(number: string | null, isUsable: boolean) {
  return number === null ? null : { pick: isUsable ? number : null };
}

/**
 * The templates of a claimed call, with their values.
 *
 * @param variables those of a campaign's call say which attempt it is. Any other call is the only attempt.
 */
export function scriptOf(
  row: AgentFactsRow & ContactFactColumns,
  variables: Record<string, unknown>,
  disclosures: readonly Disclosure[] = [],
): Script {
  return {
    promptTemplate: row.prompt_template,
    firstMessageTemplate: row.first_message_template,
    variables: withAttempt(withDisclosures(variables, disclosures), ONLY_ATTEMPT),
    contact: {
      contactId: row.contact_id,
      phoneNumber: row.phone_number,
      ...contactFieldsOf(row),
      customProperties: row.contact_custom_properties,
    },
  };
}

function contactFieldsOf(row: ContactFactColumns): ContactFieldValues {
  const values = {} as ContactFieldValues;
  for (const { name, fact } of CONTACT_FACTS) values[name] = row[fact];
  return values;
}
