import { isoInstant } from '../../database/iso-instant.js';
import { type Statement } from '../../database/transactions.js';

/**
 * The entry stays on the list in the erased form, without its reason, which is free text. $1 team, $2 number,
 * $3 erased form.
 */
export const ERASE_DO_NOT_CALL: Statement = {
  name: 'erase_do_not_call',
  text: `
    WITH clear AS (
      DELETE FROM do_not_call WHERE team_id = $1 AND phone_number = $2 RETURNING team_id, created_at
    )
    INSERT INTO do_not_call (team_id, phone_number, reason, created_at)
    SELECT team_id, $3, NULL, created_at FROM clear
    ON CONFLICT (team_id, phone_number) DO NOTHING`,
};

/** The same for entries that hold only for a campaign, an agent, a purpose or a time. */
export const ERASE_LIMITED: Statement = {
  name: 'erase_limited_do_not_call',
  text: `
    WITH clear AS (DELETE FROM limited_do_not_call WHERE team_id = $1 AND phone_number = $2 RETURNING *)
    INSERT INTO limited_do_not_call
      (team_id, phone_number, id, scope, campaign_id, agent_id, purpose, effective_from, expires_at, created_at)
    SELECT team_id, $3, id, scope, campaign_id, agent_id, purpose, effective_from, expires_at, created_at FROM clear`,
};

/** The same for the ledger, by the function of its owner. */
export const ERASE_LEDGER: Statement = {
  name: 'erase_suppression_entries',
  text: 'SELECT erase_suppression_entries($1, $2, $3)',
};

/** The erasure of a contact ends the permission to call its number. $1 team, $2 number. */
export const ERASE_WHITELIST: Statement = {
  name: 'erase_whitelist',
  text: 'DELETE FROM whitelist WHERE team_id = $1 AND phone_number = $2',
};

/**
 * The entries of a person's number in all its forms. $1 team, $2 number, $3 where the page begins. For the
 * first page, $3 is the empty string. For the second page, which is always empty, $3 is the last number.
 */
export const EXPORT_DO_NOT_CALL: Statement = {
  name: 'export_do_not_call',
  text: `
    SELECT json_build_object('phoneNumber', phone_number, 'reason', reason, 'createdAt', ${isoInstant('created_at')})::text AS item,
      ARRAY[phone_number] AS after
    FROM do_not_call
    WHERE team_id = $1 AND phone_number IN (person_number($2), other_number_of_person($2)) AND phone_number > $3
    ORDER BY phone_number`,
};

const LIMITS = (
  alias: string,
) => `'scope', ${alias}.scope, 'campaignId', ${alias}.campaign_id, 'agentId', ${alias}.agent_id,
        'purpose', ${alias}.purpose, 'reason', ${alias}.reason, 'effectiveFrom', ${isoInstant(`${alias}.effective_from`)},
        'expiresAt', ${isoInstant(`${alias}.expires_at`)}`;
/** SQL: the rows of a person's number. $1 team, $2 number. Each form is looked up by itself, in the order of the index. */
const ofPerson = (table: string, alias: string) => `
      unnest(ARRAY[person_number($2), other_number_of_person($2)]) AS form (number) CROSS JOIN LATERAL (
        SELECT * FROM ${table} ${alias} WHERE ${alias}.team_id = $1 AND ${alias}.phone_number = form.number
        ORDER BY ${alias}.id OFFSET 0) ${alias}`;

/** As {@link EXPORT_DO_NOT_CALL}; $3 is an id, or the empty string. */
export const EXPORT_LIMITED: Statement = {
  name: 'export_limited_do_not_call',
  text: `
    SELECT json_build_object('phoneNumber', l.phone_number, ${LIMITS('l')}, 'createdAt', ${isoInstant('l.created_at')})::text AS item,
      ARRAY[l.id::text] AS after
    FROM ${ofPerson('limited_do_not_call', 'l')}
    WHERE l.id > coalesce(nullif($3, ''), '00000000-0000-0000-0000-000000000000')::uuid
    ORDER BY l.id LIMIT 1000`,
};

/** As {@link EXPORT_LIMITED}, for the ledger. */
export const EXPORT_LEDGER: Statement = {
  name: 'export_suppression_entries',
  text: `
    SELECT json_build_object('phoneNumber', e.phone_number, 'action', e.action, 'source', e.source, ${LIMITS('e')},
        'recordedAt', ${isoInstant('e.recorded_at')})::text AS item,
      ARRAY[e.id::text] AS after
    FROM ${ofPerson('suppression_entries', 'e')}
    WHERE e.id > coalesce(nullif($3, ''), '0')::bigint
    ORDER BY e.id LIMIT 1000`,
};

/** As {@link EXPORT_DO_NOT_CALL}, for the number only. */
export const EXPORT_WHITELIST: Statement = {
  name: 'export_whitelist',
  text: `
    SELECT json_build_object('phoneNumber', phone_number, 'createdAt', ${isoInstant('created_at')})::text AS item,
      ARRAY[phone_number] AS after
    FROM whitelist WHERE team_id = $1 AND phone_number = $2 AND phone_number > $3`,
};
