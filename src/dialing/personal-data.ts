import { type PersonalDataPart } from '../database/personal-data.js';

export const DIALING_PERSONAL_DATA: PersonalDataPart = {
  personal: [],
  impersonal: [{ table: 'carrier_account_turns', holds: 'when a carrier account may dial again' }],
};
