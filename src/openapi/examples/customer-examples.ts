import { type OperationExample } from './operation-example.js';
import { SHARED_EXAMPLES_BY_KEY } from './shared-examples.js';

const ENDPOINT = { id: '$ENDPOINT_ID' };
const DELIVERY = { id: '$DELIVERY_ID' };
const CALL = {
  phoneNumber: '+14155550142',
  fullName: 'Ada Lovelace',
  timezone: 'America/New_York',
  topic: 'your renewal',
};

/** The examples of the operations with a team's key, by `operationId`. */
export const CUSTOMER_EXAMPLES: Readonly<Record<string, OperationExample>> = {
  ...SHARED_EXAMPLES_BY_KEY,
  triggerCall: { body: CALL },
  explainCall: { body: CALL },
  listCallsByKey: { query: { status: 'completed', agentId: '$AGENT_ID', limit: 20 } },
  exportCalls: { query: { format: 'csv', acceptedFrom: '2026-11-01T00:00:00Z' }, saveAs: 'calls.csv' },
  getCall: {},
  cancelCall: {},
  hangUpCall: {},
  stopOwnTeam: {},
  resumeOwnTeam: {},
  reportCallResult: {
    body: {
      disposition: 'call_later',
      callbackAt: '2027-03-01T09:30:00+01:00',
      data: { topic: 'price' },
    },
  },
  createContact: {
    body: {
      phoneNumber: '+442079460010',
      name: 'Alan Turing',
      email: 'alan@example.com',
      companyName: 'Bletchley',
      plan: 'gold',
    },
  },
  createContactAndEnroll: {
    body: { phoneNumber: '+442079460011', name: 'Joan Clarke', plan: 'gold', campaignId: '$CAMPAIGN_ID' },
  },
  listContacts: { query: { updatedSince: '2026-11-01T00:00:00Z', limit: 20 } },
  exportContacts: { query: { format: 'ndjson' }, saveAs: 'contacts.ndjson' },
  getContact: {},
  updateContact: { body: { email: 'ada@example.com', companyWebsite: null, plan: 'platinum' } },
  updateContactByExternalId: { body: { phoneNumber: '+442079460015', name: 'Ada King', plan: 'gold' } },
  eraseContact: {},
  exportContact: {},
  createImport: {
    query: { campaignId: '$CAMPAIGN_ID', mode: 'upsert' },
    file: {
      type: 'text/csv',
      text: 'phoneNumber,name,plan\n+442079460012,Ada Lovelace,gold\n+442079460013,Grace Hopper,silver\n',
    },
  },
  listImports: { query: { status: 'finished' } },
  getImport: {},
  getImportResults: { query: { failed: true } },
  cancelImport: {},
  startImport: {},
  undoImport: {},
  enrollContact: { body: { contactId: '$CONTACT_ID', campaignId: '$CAMPAIGN_ID', source: 'crm' } },
  listEnrollments: { query: { contactId: '$CONTACT_ID' } },
  getEnrollmentByKey: {},
  pauseEnrollmentByKey: {},
  resumeEnrollmentByKey: {},
  exitEnrollmentByKey: {},
  listCampaignsByKey: { query: { limit: 20 } },
  getCampaignByKey: { path: { id: '$CAMPAIGN_ID' } },
  getCampaignEnrollmentByKey: {},
  pauseCampaignEnrollmentByKey: {},
  resumeCampaignEnrollmentByKey: {},
  exitCampaignEnrollmentByKey: {},
  listEvents: { query: { after: 0, types: ['call.ended', 'call.result'], limit: 100 } },
  listDoNotCallByKey: { query: { limit: 20 } },
  doNotCallHistoryByKey: { query: { phoneNumber: '+442079460012' } },
  listLimitedDoNotCallByKey: {},
  addToDoNotCallByKey: { body: { phoneNumbers: ['+442079460014'], reason: 'asked by e-mail' } },
  removeFromDoNotCallByKey: {},
  listVoiceAgentsByKey: {},
  listPhoneNumbersByKey: {},
  createWebhookEndpoint: {
    body: {
      url: 'https://example.com/outdial',
      types: ['call.ended', 'call.result'],
      description: 'CRM',
    },
  },
  listWebhookEndpoints: {},
  getWebhookEndpoint: { path: ENDPOINT },
  updateWebhookEndpoint: { path: ENDPOINT, body: { types: ['call.ended'], disabled: false } },
  deleteWebhookEndpoint: { path: ENDPOINT },
  rotateWebhookSecret: { path: ENDPOINT },
  testWebhookEndpoint: { path: ENDPOINT },
  listWebhookDeliveries: { path: ENDPOINT, query: { status: 'failed' } },
  replayWebhookEvents: { path: ENDPOINT, body: { after: 0 } },
  getWebhookDelivery: { path: DELIVERY },
  retryWebhookDelivery: { path: DELIVERY },
  getOwnKey: {},
};
