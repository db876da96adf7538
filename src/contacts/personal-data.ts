import { type PersonalDataPart } from '../database/personal-data.js';
import { CONTACT_FIELD_COLUMNS } from '../domain/contact-fields.js';
import { query } from '../database/transactions.js';
import { ERASE_CONTACT, EXPORT_CONTACT } from './sql/erase.sql.js';

export const CONTACT_PERSONAL_DATA: PersonalDataPart = {
  personal: [
    {
      table: 'contacts',
      personal: ['phone_number', ...CONTACT_FIELD_COLUMNS, 'custom_properties'],
      facts: [],
      retention: 'contact',
      erase: [{ query: ({ teamId, contactId }) => query(ERASE_CONTACT, teamId, contactId) }],
      exported: {
        as: 'contact',
        one: true,
        first: [],
        page: ({ teamId, contactId }) => query(EXPORT_CONTACT, teamId, contactId),
      },
    },
  ],
  impersonal: [],
};
