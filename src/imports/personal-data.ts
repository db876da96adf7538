import { type PersonalDataPart } from '../database/personal-data.js';
import { query } from '../database/transactions.js';
import { ERASE_IMPORTED } from './sql/erase.sql.js';

export const IMPORT_PERSONAL_DATA: PersonalDataPart = {
  personal: [
    {
      table: 'import_chunks',
      personal: ['data', 'endings'],
      facts: [],
      retention: 'import',
      erase: [{ query: ({ teamId, phoneNumber }) => query(ERASE_IMPORTED, teamId, phoneNumber) }],
      // A row usually becomes a contact within minutes, and the contact is exported.
      exported: null,
    },
  ],
  impersonal: [
    { table: 'imports', holds: 'names of columns and counts of rows' },
    { table: 'import_results', holds: 'ids of contacts and enrollments, and errors, which name fields' },
  ],
};
