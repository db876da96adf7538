import { inErasedForm, type PersonalDataPart } from '../database/personal-data.js';
import { query } from '../database/transactions.js';
import {
  ERASE_CONSENT_ENDINGS,
  ERASE_CONSENTS,
  EXPORT_CONSENT_ENDINGS,
  EXPORT_CONSENTS,
} from './sql/erase.sql.js';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export const CONSENT_PERSONAL_DATA: PersonalDataPart = {
  personal: [
    {
      table: 'consents',
      personal: ['phone_number', 'source', 'evidence'],
      facts: ['level', 'purpose', 'voice'],
      retention: 'proof',
      erase: inErasedForm(ERASE_CONSENTS),
      exported: {
        as: 'consents',
        first: [FIRST_ID],
        page: ({ teamId, phoneNumber }, [after]) => query(EXPORT_CONSENTS, teamId, phoneNumber, after),
      },
    },
    {
      table: 'consent_endings',
      personal: ['phone_number', 'reason'],
      facts: [],
      retention: 'proof',
      erase: inErasedForm(ERASE_CONSENT_ENDINGS),
      exported: {
        as: 'consentEndings',
        first: [FIRST_ID],
        page: ({ teamId, phoneNumber }, [after]) => query(EXPORT_CONSENT_ENDINGS, teamId, phoneNumber, after),
      },
    },
  ],
  impersonal: [],
};
