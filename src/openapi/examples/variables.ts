/** A variable of the examples' environment. */
export interface ExampleVariable {
  name: string;
  meaning: string;
  /** The operation whose answer has the value. */
  from?: string;
}

/** The variables that a customer sets, in the order in which the page explains them. */
export const CUSTOMER_VARIABLES: readonly ExampleVariable[] = [
  { name: 'OUTDIAL_URL', meaning: 'The address of this API, without a slash at the end.' },
  { name: 'API_KEY', meaning: 'The team’s API key. The operator of the deployment creates it.' },
  { name: 'AGENT_ID', meaning: 'The id of a voice agent of the team.', from: 'listVoiceAgentsByKey' },
  {
    name: 'CALL_REQUEST_ID',
    meaning: 'The id of a call: the `callRequestId` of its trigger.',
    from: 'triggerCall',
  },
  { name: 'CONTACT_ID', meaning: 'The id of a contact.', from: 'createContact' },
  { name: 'EXTERNAL_ID', meaning: 'The id of a contact in your own system, percent-encoded.' },
  { name: 'CAMPAIGN_ID', meaning: 'The id of a campaign of the team.', from: 'listCampaignsByKey' },
  {
    name: 'ENROLLMENT_ID',
    meaning: 'The id of an enrollment of a contact in a campaign.',
    from: 'enrollContact',
  },
  { name: 'IMPORT_ID', meaning: 'The id of an import.', from: 'createImport' },
  { name: 'ENDPOINT_ID', meaning: 'The id of a webhook endpoint.', from: 'createWebhookEndpoint' },
  {
    name: 'DELIVERY_ID',
    meaning: 'The id of the delivery of an event to an endpoint.',
    from: 'listWebhookDeliveries',
  },
  { name: 'NUMBER_ID', meaning: 'The `id` of a number to call from.', from: 'listPhoneNumbersByKey' },
  { name: 'POOL_ID', meaning: 'The id of a number pool.', from: 'createNumberPoolByKey' },
  { name: 'VERSION_ID', meaning: 'The id of a version of a campaign.', from: 'createCampaignVersionByKey' },
  { name: 'OTHER_VERSION_ID', meaning: 'The id of the version from which enrollments are migrated.' },
  { name: 'CONSENT_ID', meaning: 'The id of a consent.', from: 'recordConsentByKey' },
  { name: 'PHONE_NUMBER', meaning: 'A phone number on a list, in E.164.', from: 'listDoNotCallByKey' },
];

/** The variables that only the operations of the operator, carriers and monitoring need. */
export const OPERATOR_VARIABLES: readonly ExampleVariable[] = [
  { name: 'OPERATOR_TOKEN', meaning: 'The `OPERATOR_TOKEN` of the deployment.' },
  { name: 'TEAM_ID', meaning: 'The id of a team.', from: 'createTeam' },
  { name: 'KEY_ID', meaning: 'The `id` of an API key. It is not the key.', from: 'createApiKey' },
  { name: 'CALLBACK_TOKEN', meaning: 'The `SIMULATOR_CALLBACK_TOKEN` of the deployment.' },
  { name: 'METRICS_TOKEN', meaning: 'The `METRICS_TOKEN` of the deployment.' },
];

/** The variable whose value authenticates, for each of the document's security schemes. */
export const CREDENTIAL_VARIABLES: Readonly<Record<string, string>> = {
  teamKey: 'API_KEY',
  operatorToken: 'OPERATOR_TOKEN',
  callbackToken: 'CALLBACK_TOKEN',
  metricsToken: 'METRICS_TOKEN',
};
