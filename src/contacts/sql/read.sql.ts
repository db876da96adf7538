import { type Statement } from '../../database/transactions.js';

/** $1 team, $2 number. */
export const FIND_CONTACT_BY_NUMBER: Statement = {
  name: 'find_contact_by_number',
  text: 'SELECT id FROM contacts WHERE team_id = $1 AND phone_number = $2',
};

/** Planned for each batch of an import. $1 team, $2 numbers. */
export const CONTACTS_OF_NUMBERS: Statement = {
  name: '',
  text: `
    SELECT c.id, q.phone_number FROM unnest($2::text[]) AS q (phone_number)
    CROSS JOIN LATERAL (SELECT id FROM contacts WHERE team_id = $1 AND phone_number = q.phone_number OFFSET 0) c`,
};

/** The columns that the row of a contact and a request to store a contact have in common. */
export interface ContactColumns {
  phone_number: string;
  name: string | null;
  email: string | null;
  company_name: string | null;
  company_website: string | null;
  timezone: string | null;
  custom_properties: Record<string, unknown>;
}

export interface ContactRow extends ContactColumns {
  id: string;
}

/** SQL: the columns of a {@link ContactRow} of the contact `c`. */
export const CONTACT_COLUMNS = `c.id, c.phone_number, c.name, c.email, c.company_name, c.company_website, c.timezone,
      c.custom_properties`;

/** $1 team, $2 contact. */
export const FIND_CONTACT: Statement = {
  name: 'find_contact',
  text: `
    SELECT ${CONTACT_COLUMNS}
    FROM contacts c WHERE c.team_id = $1 AND c.id = $2 AND c.erased_at IS NULL`,
};
