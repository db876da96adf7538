import { type PersonalDataPart } from '../database/personal-data.js';

export const TEAM_PERSONAL_DATA: PersonalDataPart = {
  personal: [],
  impersonal: [
    { table: 'teams', holds: 'names and limits of teams' },
    { table: 'api_keys', holds: 'names and hashes of keys' },
    { table: 'plan_usage', holds: 'counts of calls' },
  ],
};
