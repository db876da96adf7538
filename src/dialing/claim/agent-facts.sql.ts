import { MAX_BATCH } from '../../database/batch-work.js';
import { CONTACT_FIELDS, type ContactFieldColumn } from '../../domain/contact-fields.js';
import { ACCOUNT_LIMITED } from '../account-limits/account-limits.sql.js';
import { numberUsable } from '../facts/facts.sql.js';

/** The fields of a call's contact. */
export type ContactFactColumns = { [Column in ContactFieldColumn as `contact_${Column}`]: string | null };

/**
 * The facts of a call's agent and contact that its claim needs: caller IDs, carrier, templates and contact
 * fields.
 */
export interface AgentFactsRow extends Omit<ContactFactColumns, 'contact_timezone'> {
  team_id: string;
  agent_id: string;
  contact_id: string;
  phone_number: string;
  agent_number_pool_id: string | null;
  /**
   * The usable numbers of the pool, the least recently used first. Of a large pool, there are only as many as
   * a batch can need.
   */
  pool_numbers: string[];
  agent_phone_number: string | null;
  agent_number_usable: boolean;
  carrier: string | null;
  carrier_settings: Record<string, unknown>;
  carrier_account_id: string | null;
  /** Whether the carrier account has a limit. */
  account_limited: boolean;
  prompt_template: string;
  first_message_template: string;
  contact_custom_properties: Record<string, unknown>;
}

/** Each field with its column of {@link ContactFactColumns}. Made once: every claim reads them. */
export const CONTACT_FACTS = CONTACT_FIELDS.map(({ name, column }) => ({
  name,
  column,
  fact: `contact_${column}` as const,
}));

/** Without the zone, which the statements select for the calling hours. */
const SELECTED_FIELDS = CONTACT_FACTS.filter(({ column }) => column !== 'timezone')
  .map(({ column, fact }) => `c.${column} AS ${fact}`)
  .join(', ');

/**
 * SQL: columns about the agent `a` of the team `t` and the contact `c`. A pool's numbers are in the order of
 * their last use in committed calls. The statement locks no numbers. Concurrent batches may therefore begin
 * with the same number and pick it too often.
 *
 * @param requestPool SQL for the pool that takes precedence over the agent's pool.
 * @param id SQL for the id of the call or enrollment, which orders numbers that were never used.
 */
export function agentColumns(requestPool: string, id: string): string {
  return `
      a.id AS agent_id, a.number_pool_id AS agent_number_pool_id,
      ARRAY(SELECT n.phone_number
        FROM number_pool_members m
        JOIN phone_numbers n ON n.team_id = m.team_id AND n.phone_number = m.phone_number
        WHERE m.team_id = t.id AND m.number_pool_id = coalesce(${requestPool}, a.number_pool_id)
          AND n.active AND n.outbound_enabled
        ORDER BY (SELECT max(u.processed_at) FROM call_requests u
            WHERE u.team_id = n.team_id AND u.caller_id = n.phone_number) NULLS FIRST,
          hashtext(${id}::text || n.phone_number)
        LIMIT ${MAX_BATCH}) AS pool_numbers,
      a.outbound_phone_number AS agent_phone_number,
      ${numberUsable('a.outbound_phone_number')} AS agent_number_usable,
      a.carrier, a.carrier_settings, a.carrier_account_id, ${ACCOUNT_LIMITED}, a.prompt_template, a.first_message_template,
      ${SELECTED_FIELDS}, c.custom_properties AS contact_custom_properties`;
}
