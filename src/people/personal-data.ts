import { type PersonalDataPart } from '../database/personal-data.js';

/** The people of these tables use Outdial; they are not the people whom it calls. */
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
