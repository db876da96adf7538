import { type PersonalDataPart } from '../database/personal-data.js';

export const RESTORE_PERSONAL_DATA: PersonalDataPart = {
  personal: [],
  impersonal: [{ table: 'database_identity', holds: 'which database this is, and when it was restored' }],
};
