import { type PersonalDataPart } from '../database/personal-data.js';
import { query } from '../database/transactions.js';
import { ERASE_FAILED_ROWS, ERASE_IMPORTED } from './sql/erase.sql.js';

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
    {
      table: 'import_results',
      personal: ['failed_rows', 'endings'],
      // Ids of contacts and enrollments, and errors, which name fields.
      facts: ['results'],
      retention: 'results',
      erase: [{ query: ({ teamId, phoneNumber }) => query(ERASE_FAILED_ROWS, teamId, phoneNumber) }],
      // A failed row was not stored. Its sender has the file.
      exported: null,
    },
  ],
  impersonal: [
    { table: 'imports', holds: 'names of columns and counts of rows' },
    { table: 'import_contacts', holds: 'ids of contacts and enrollments' },
  ],
};
