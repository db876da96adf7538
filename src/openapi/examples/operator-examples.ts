import { type OperationExample } from './operation-example.js';

const KEY = { id: '$KEY_ID' };
const NUMBER = { id: '$NUMBER_ID' };
const POOL = { id: '$POOL_ID' };
const AGENT = { id: '$AGENT_ID' };
const CAMPAIGN = { id: '$CAMPAIGN_ID' };
const CALL = { id: '$CALL_REQUEST_ID' };
const WEEKDAY = [{ start: '09:00', end: '17:00' }];
const DEFINITION = {
  steps: [{ key: 'first', agentId: '$AGENT_ID', retry: { busy: ['PT10M'], no_answer: ['P1D'] } }],
};

/** The examples of the operator's operations, by `operationId`. */
export const OPERATOR_EXAMPLES: Readonly<Record<string, OperationExample>> = {
  listTeams: { query: { limit: 20 } },
  createTeam: { body: { name: 'Acme', timezone: 'America/New_York', defaultCountry: 'US' } },
  getTeam: {},
  updateTeam: { body: { monthlyCallLimit: 10_000, numberDailyLimit: 2, allowedCountries: ['US', 'CA'] } },
  pauseTeam: {},
  resumeTeam: {},
  listApiKeys: {},
  createApiKey: { body: { name: 'CRM', scopes: ['calls', 'read'] } },
  getApiKey: { path: KEY },
  revokeApiKey: { path: KEY },
  getPlatform: {},
  updatePlatform: { body: { callRetentionDays: 90 } },
  pausePlatform: {},
  resumePlatform: {},
  getRestore: {},
  listPhoneNumbers: {},
  createPhoneNumber: { body: { phoneNumber: '+14155550101' } },
  getPhoneNumber: { path: NUMBER },
  updatePhoneNumber: { path: NUMBER, body: { outboundEnabled: true } },
  listNumberPools: {},
  createNumberPool: { body: { name: 'West coast', phoneNumbers: ['$PHONE_NUMBER'] } },
  getNumberPool: { path: POOL },
  updateNumberPool: { path: POOL, body: { name: 'West coast and Nevada' } },
  listVoiceAgents: {},
  createVoiceAgent: {
    body: {
      name: 'Renewals',
      timezone: 'America/New_York',
      callingHours: { monday: WEEKDAY, tuesday: WEEKDAY, saturday: [{ start: '10:00', end: '12:00' }] },
      closedDates: ['2026-12-25'],
      promptTemplate: 'You call {{contact.name}} about {{topic}}.',
      firstMessageTemplate: 'Hello {{contact.name}}!',
      numberPoolId: '$POOL_ID',
    },
  },
  getVoiceAgent: { path: AGENT },
  updateVoiceAgent: { path: AGENT, body: { callingHours: null } },
  deleteVoiceAgent: { path: AGENT },
  listDoNotCall: {},
  addToDoNotCall: { body: { phoneNumbers: ['+442079460014'], reason: 'asked by e-mail' } },
  getDoNotCall: {},
  removeFromDoNotCall: {},
  listWhitelist: {},
  addToWhitelist: { body: { phoneNumbers: ['+442079460015'] } },
  getWhitelist: {},
  removeFromWhitelist: {},
  listCampaigns: {},
  createCampaign: { body: { name: 'Spring', status: 'active' } },
  getCampaign: { path: CAMPAIGN },
  updateCampaign: {
    path: CAMPAIGN,
    body: { pacing: { callsPerMinute: 60 }, reentry: { minInterval: 'P30D' } },
  },
  archiveCampaign: { path: CAMPAIGN },
  getCampaignStats: { path: CAMPAIGN },
  listCampaignVersions: {},
  createCampaignVersion: { body: { definition: DEFINITION } },
  getCampaignVersion: {},
  updateCampaignVersion: { body: { definition: { ...DEFINITION, caps: { maxAttempts: 3 } } } },
  publishCampaignVersion: {},
  migrateCampaignVersion: { query: { dryRun: true }, body: { fromVersionId: '$OTHER_VERSION_ID' } },
  forecastCampaignVersion: {
    body: {
      from: '2027-03-01T08:00:00Z',
      until: '2027-03-08T08:00:00Z',
      concurrency: 20,
      assume: { completed: 0.4, no_answer: 0.5, seconds: 90 },
      seed: 7,
      contacts: 100,
      zones: ['Europe/Berlin', 'America/New_York'],
    },
  },
  listCampaignEnrollments: { query: { status: 'active' } },
  getEnrollment: {},
  pauseEnrollment: {},
  resumeEnrollment: {},
  exitEnrollment: {},
  eraseContactOfTeam: {},
  listCalls: { query: { status: 'blocked', reason: 'DO_NOT_CALL' } },
  getTeamCall: { path: CALL },
  cancelCalls: { body: { status: 'scheduled', dryRun: true } },
  cancelTeamCall: { path: CALL },
  resolveCall: { path: CALL, body: { outcome: 'no_answer' } },
};
