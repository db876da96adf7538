import { type PersonalDataPart } from '../database/personal-data.js';

export const CARRIER_ACCOUNT_PERSONAL_DATA: PersonalDataPart = {
  personal: [],
  impersonal: [{ table: 'carrier_accounts', holds: 'sealed credentials of teams’ accounts at carriers' }],
};
