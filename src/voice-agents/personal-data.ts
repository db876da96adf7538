import { type PersonalDataPart } from '../database/personal-data.js';

export const VOICE_AGENT_PERSONAL_DATA: PersonalDataPart = {
  personal: [],
  impersonal: [{ table: 'voice_agents', holds: 'agents, their templates and calling hours' }],
};
