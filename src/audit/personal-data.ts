import { type PersonalDataPart } from '../database/personal-data.js';

export const AUDIT_PERSONAL_DATA: PersonalDataPart = {
  personal: [],
  impersonal: [{ table: 'audit_log', holds: 'who changed what; of personal fields, only the names' }],
};
