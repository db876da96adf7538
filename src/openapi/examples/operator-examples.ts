import { type OperationExample } from './operation-example.js';
import { SHARED_EXAMPLES } from './shared-examples.js';

const KEY = { id: '$KEY_ID' };
const NUMBER = { id: '$NUMBER_ID' };
const CAMPAIGN = { id: '$CAMPAIGN_ID' };
const CALL = { id: '$CALL_REQUEST_ID' };

/** The examples of the operator's operations, by `operationId`. */
export const OPERATOR_EXAMPLES: Readonly<Record<string, OperationExample>> = {
  ...SHARED_EXAMPLES,
  listTeams: { query: { limit: 20 } },
  createTeam: { body: { name: 'Acme', timezone: 'America/New_York', defaultCountry: 'US' } },
  getTeam: {},
  updateTeam: { body: { monthlyCallLimit: 10_000, numberDailyLimit: 2, allowedCountries: ['US', 'CA'] } },
  pauseTeam: {},
  stopTeam: {},
  resumeTeam: {},
  listApiKeys: {},
  createApiKey: { body: { name: 'CRM', scopes: ['calls', 'read'] } },
  getApiKey: { path: KEY },
  revokeApiKey: { path: KEY },
  getPlatform: {},
  updatePlatform: { body: { callRetentionDays: 90 } },
  pausePlatform: {},
  stopPlatform: {},
  resumePlatform: {},
  getRestore: {},
  listAudit: { query: { action: 'api_key', limit: 20 } },
  listPhoneNumbers: {},
  createPhoneNumber: { body: { phoneNumber: '+14155550101' } },
  updatePhoneNumber: { path: NUMBER, body: { outboundEnabled: true } },
  listVoiceAgents: {},
  listDoNotCall: {},
  addToDoNotCall: { body: { phoneNumbers: ['+442079460014'], reason: 'asked by e-mail' } },
  getDoNotCall: {},
  removeFromDoNotCall: {},
  listWhitelist: {},
  addToWhitelist: { body: { phoneNumbers: ['+442079460015'] } },
  getWhitelist: {},
  removeFromWhitelist: {},
  listCampaigns: {},
  getCampaign: { path: CAMPAIGN },
  getEnrollment: {},
  pauseEnrollment: {},
  resumeEnrollment: {},
  exitEnrollment: {},
  eraseContactOfTeam: {},
  listCalls: { query: { status: 'blocked', reason: 'DO_NOT_CALL' } },
  getTeamCall: { path: CALL },
  cancelCalls: { body: { status: 'scheduled', dryRun: true } },
  cancelTeamCall: { path: CALL },
  hangUpTeamCall: { path: CALL },
  resolveCall: { path: CALL, body: { outcome: 'no_answer' } },
};
