import { inErasedForm, type PersonalDataPart, type PersonalExport } from '../database/personal-data.js';
import { query } from '../database/transactions.js';
import {
  ERASE_DO_NOT_CALL,
  ERASE_LEDGER,
  ERASE_LIMITED,
  ERASE_WHITELIST,
  EXPORT_DO_NOT_CALL,
  EXPORT_LEDGER,
  EXPORT_LIMITED,
  EXPORT_WHITELIST,
} from './sql/erase.sql.js';

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
      erase: inErasedForm(ERASE_DO_NOT_CALL),
      exported: exportedBy('doNotCall', EXPORT_DO_NOT_CALL),
    },
    {
      table: 'limited_do_not_call',
      personal: ['phone_number', 'reason'],
      facts: ['scope', 'purpose'],
      retention: 'removal',
      erase: inErasedForm(ERASE_LIMITED),
      exported: exportedBy('limitedDoNotCall', EXPORT_LIMITED),
    },
    {
      table: 'suppression_entries',
      personal: ['phone_number', 'reason'],
      facts: ['action', 'scope', 'purpose', 'source', 'actor_kind', 'actor_name'],
      retention: 'proof',
      erase: inErasedForm(ERASE_LEDGER),
      exported: exportedBy('doNotCallHistory', EXPORT_LEDGER),
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
  impersonal: [
    {
      table: 'platform_do_not_call',
      holds: 'numbers that no team may call; of no team, so that no erasure in a team lifts them',
    },
  ],
};
