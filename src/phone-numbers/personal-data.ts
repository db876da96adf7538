import { type PersonalDataPart } from '../database/personal-data.js';

export const PHONE_NUMBER_PERSONAL_DATA: PersonalDataPart = {
  personal: [],
  impersonal: [
    { table: 'phone_numbers', holds: 'numbers that teams call from' },
    { table: 'number_pools', holds: 'names of pools' },
    { table: 'number_pool_members', holds: 'numbers that teams call from' },
  ],
};
