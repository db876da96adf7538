import { type PersonalDataPart } from '../database/personal-data.js';

export const COMPLIANCE_PERSONAL_DATA: PersonalDataPart = {
  personal: [],
  impersonal: [
    { table: 'pack_versions', holds: 'rules of law' },
    { table: 'zone_data_versions', holds: 'time zones' },
  ],
};
