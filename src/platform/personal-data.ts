import { type PersonalDataPart } from '../database/personal-data.js';

export const PLATFORM_PERSONAL_DATA: PersonalDataPart = {
  personal: [],
  impersonal: [{ table: 'platform_settings', holds: 'the pause and the retention of the platform' }],
};
