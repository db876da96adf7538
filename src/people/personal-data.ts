import { type PersonalDataPart } from '../database/personal-data.js';

/** These tables hold data of users of the dashboard, not of contacts. */
export const PEOPLE_PERSONAL_DATA: PersonalDataPart = {
  personal: [],
  impersonal: [
    {
      table: 'users',
      holds:
        'e-mail addresses, hashes of passwords and recovery codes, and sealed secrets of authenticators of the people who use Outdial',
    },
    { table: 'memberships', holds: 'roles of people in teams' },
    { table: 'sessions', holds: 'hashes of the cookies of browsers' },
    { table: 'access_links', holds: 'hashes of links that are used once' },
  ],
};
