import { CONTACT_FIELD_COLUMNS, type ContactFieldRow } from '../../domain/contact-fields.js';
import { type Statement } from '../../database/transactions.js';

/** The columns that the row of a contact and a request to store a contact have in common. */
export interface ContactColumns extends ContactFieldRow {
  phone_number: string;
  custom_properties: Record<string, unknown>;
}

export interface ContactRow extends ContactColumns {
  id: string;
}

/** SQL: the columns of a {@link ContactRow} of the contact `c`. */
export const CONTACT_COLUMNS = `c.id, c.phone_number, ${CONTACT_FIELD_COLUMNS.map((column) => `c.${column}`).join(', ')},
      c.custom_properties`;

/** $1 team, $2 contact. */
export const FIND_CONTACT: Statement = {
  name: 'find_contact',
  text: `
    SELECT ${CONTACT_COLUMNS}
    FROM contacts c WHERE c.team_id = $1 AND c.id = $2 AND c.erased_at IS NULL`,
};
