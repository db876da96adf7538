import { type Statement } from '../../database/transactions.js';

/** $1 team, $2 number. */
export const FIND_CONTACT_BY_NUMBER: Statement = {
  name: 'find_contact_by_number',
  text: 'SELECT id FROM contacts WHERE team_id = $1 AND phone_number = $2',
};

/** The fields that a contact's row and a request to store one have in common. */
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

/** $1 team, $2 contact. */
export const FIND_CONTACT: Statement = {
  name: 'find_contact',
  text: `
    SELECT id, phone_number, name, email, company_name, company_website, timezone, custom_properties
    FROM contacts WHERE team_id = $1 AND id = $2 AND erased_at IS NULL`,
};
