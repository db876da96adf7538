import { type PersonalDataPart } from '../database/personal-data.js';

export const ERASURE_PERSONAL_DATA: PersonalDataPart = {
  personal: [],
  impersonal: [{ table: 'erasure_key', holds: 'a check value of the deployment’s key' }],
};
