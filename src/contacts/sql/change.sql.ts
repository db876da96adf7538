import { CONTACT_FIELD_COLUMNS, type ContactFieldRow } from '../../domain/contact-fields.js';
import { type Statement } from '../../database/transactions.js';
import { boundedProperties } from './store.sql.js';
import { CONTACT_COLUMNS } from './read.sql.js';

/** The sent columns of a change; null clears a column. */
export type ChangedColumns = Partial<ContactFieldRow>;

const MERGED = '(c.custom_properties - $4::text[]) || $5::jsonb';

/**
 * Changes a contact. Returns no row if there is no such contact, if it has another external id than $6, or if its
 * properties would be too large, and larger than before. $1 team, $2 contact, $3 {@link ChangedColumns} as JSON,
 * $4 keys of properties to remove, $5 properties to set, $6 the only external id that the contact may have, or
 * null for any.
 */
export const CHANGE_CONTACT: Statement = {
  name: 'change_contact',
  text: `
    UPDATE contacts c SET
      ${CONTACT_FIELD_COLUMNS.map((name) => `${name} = CASE WHEN $3::jsonb ? '${name}' THEN $3::jsonb->>'${name}' ELSE c.${name} END`).join(',\n      ')},
      custom_properties = ${MERGED},
      updated_at = now()
    WHERE c.team_id = $1 AND c.id = $2 AND c.erased_at IS NULL AND coalesce(c.external_id = $6::text, true)
      AND (${boundedProperties(MERGED)} OR octet_length((${MERGED})::text) <= octet_length(c.custom_properties::text))
    RETURNING ${CONTACT_COLUMNS}`,
};
