import { type OperationExample } from './operation-example.js';

const NUMBER = { id: '$NUMBER_ID' };
const POOL = { id: '$POOL_ID' };
const AGENT = { id: '$AGENT_ID' };
const CAMPAIGN = { id: '$CAMPAIGN_ID' };
const WEEKDAY = [{ start: '09:00', end: '17:00' }];
const DEFINITION = {
  steps: [{ key: 'first', agentId: '$AGENT_ID', retry: { busy: ['PT10M'], no_answer: ['P1D'] } }],
};

/** The examples of the operations that the operator and a team's key have alike, by the operator's `operationId`. */
export const SHARED_EXAMPLES: Readonly<Record<string, OperationExample>> = {
  listConsents: { query: { phoneNumber: '+442079460016' } },
  recordConsent: {
    body: {
      phoneNumber: '+442079460016',
      level: 'expressWritten',
      purpose: 'marketing',
      source: 'Web form',
      evidence: 'https://forms.example.com/7f3a',
      grantedAt: '2026-11-20T14:00:00Z',
    },
  },
  revokeConsent: { path: { id: '$CONSENT_ID' }, body: { reason: 'asked by e-mail' } },
  createCampaign: { body: { name: 'Spring', status: 'active' } },
  updateCampaign: {
    path: CAMPAIGN,
    body: { pacing: { callsPerMinute: 60 }, reentry: { minInterval: 'P30D' } },
  },
  archiveCampaign: { path: CAMPAIGN },
  getCampaignStats: { path: CAMPAIGN },
  getCampaignResults: {
    path: CAMPAIGN,
    query: { format: 'csv', status: 'completed', properties: 'plan,crm_owner' },
    saveAs: 'results.csv',
  },
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
  getPhoneNumber: { path: NUMBER },
  listNumberPools: {},
  createNumberPool: { body: { name: 'West coast', phoneNumbers: ['$PHONE_NUMBER'] } },
  getNumberPool: { path: POOL },
  updateNumberPool: { path: POOL, body: { name: 'West coast and Nevada' } },
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
};

/** The same, by the `operationId` of the operation with a team's key. */
export const SHARED_EXAMPLES_BY_KEY: Readonly<Record<string, OperationExample>> = Object.fromEntries(
  Object.entries(SHARED_EXAMPLES).map(([id, example]) => [`${id}ByKey`, example]),
);
