import { type PersonalDataPart } from '../database/personal-data.js';

/** A person whose data are erased stays on a public register: a law forbids to call the number. */
export const REGISTER_PERSONAL_DATA: PersonalDataPart = {
  personal: [],
  impersonal: [
    { table: 'register_versions', holds: 'when the deployment had which version of a public register' },
    {
      table: 'register_numbers',
      holds:
        'numbers of public registers, which say nothing else of a person; until another version replaces them',
    },
  ],
};
