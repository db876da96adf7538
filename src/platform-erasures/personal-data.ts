import { type PersonalDataPart } from '../database/personal-data.js';

export const PLATFORM_ERASURE_PERSONAL_DATA: PersonalDataPart = {
  personal: [],
  impersonal: [
    { table: 'platform_erasures', holds: 'ids of calls that are to be erased at platforms of voice agents' },
  ],
};
