import { type PersonalDataPart, type PersonalExport } from '../database/personal-data.js';
import { query } from '../database/transactions.js';
import { ERASE_DO_NOT_CALL, ERASE_WHITELIST, EXPORT_DO_NOT_CALL, EXPORT_WHITELIST } from './sql/erase.sql.js';

function exportedBy(as: string, statement: typeof EXPORT_DO_NOT_CALL): PersonalExport {
  return {
    as,
    first: [''],
    page: ({ teamId, phoneNumber }, [after]) => query(statement, teamId, phoneNumber, after),
  };
}

export const NUMBER_LIST_PERSONAL_DATA: PersonalDataPart = {
  personal: [
    {
      table: 'do_not_call',
      personal: ['phone_number', 'reason'],
      facts: [],
      retention: 'removal',
      erase: [
        {
          query: ({ teamId, phoneNumber, erasedNumber }) =>
            query(ERASE_DO_NOT_CALL, teamId, phoneNumber, erasedNumber),
        },
        {
          query: ({ teamId, otherNumber, otherErasedNumber }) =>
            query(ERASE_DO_NOT_CALL, teamId, otherNumber, otherErasedNumber),
        },
      ],
      exported: exportedBy('doNotCall', EXPORT_DO_NOT_CALL),
    },
    {
      table: 'whitelist',
      personal: ['phone_number'],
      facts: [],
      retention: 'removal',
      erase: [{ query: ({ teamId, phoneNumber }) => query(ERASE_WHITELIST, teamId, phoneNumber) }],
      exported: exportedBy('whitelist', EXPORT_WHITELIST),
    },
  ],
  impersonal: [],
};
