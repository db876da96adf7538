import type { components } from './generated/schema.js';

type Schemas = components['schemas'];

// What the API answers, by the names of its document.
export type Call = Schemas['Call'];
export type CallAccepted = Schemas['CallAccepted'];
export type CallExplanation = Schemas['CallExplanation'];
export type CallResult = Schemas['CallResult'];
export type ListedCall = Schemas['ListedCall'];
export type ListedCallPage = Schemas['ListedCallPage'];
export type Contact = Schemas['Contact'];
export type ContactCreated = Schemas['ContactCreated'];
export type ContactStored = Schemas['ContactStored'];
export type ContactExport = Schemas['ContactExport'];
export type ContactPage = Schemas['ContactPage'];
export type Import = Schemas['Import'];
export type ImportWithColumns = Schemas['ImportWithColumns'];
export type ImportStarted = Schemas['ImportStarted'];
export type ImportLook = Schemas['ImportLook'];
export type ImportResult = Schemas['ImportResult'];
export type ImportPage = Schemas['ImportPage'];
export type ContactEnrolled = Schemas['ContactEnrolled'];
export type Enrollment = Schemas['Enrollment'];
export type EnrollmentDetail = Schemas['EnrollmentDetail'];
export type EnrollmentPage = Schemas['EnrollmentPage'];
export type Campaign = Schemas['Campaign'];
export type CampaignDetail = Schemas['CampaignDetail'];
export type CampaignPage = Schemas['CampaignPage'];
export type CampaignResource = Schemas['CampaignResource'];
export type ChangedCampaign = Schemas['ChangedCampaignResource'];
export type CampaignResult = Schemas['CampaignResult'];
export type CampaignStats = Schemas['CampaignStats'];
export type CampaignVersion = Schemas['CampaignVersionResource'];
export type CampaignVersionPage = Schemas['CampaignVersionResourcePage'];
export type PublishedCampaignVersion = Schemas['PublishedCampaignVersionResource'];
export type VersionMigrationPlan = Schemas['VersionMigrationPlan'];
export type CampaignForecast = Schemas['Forecast'];
export type CampaignEnrollmentPage = Schemas['EnrollmentResourcePage'];
export type DoNotCallEntry = Schemas['DoNotCallResource'];
export type DoNotCallPage = Schemas['DoNotCallPage'];
export type LimitedDoNotCallPage = Schemas['LimitedDoNotCallPage'];
export type SuppressionEntryPage = Schemas['SuppressionEntryPage'];
export type NumbersAdded = Schemas['NumbersAdded'];
export type Consent = Schemas['ConsentResource'];
export type ConsentPage = Schemas['ConsentPage'];
export type VoiceAgent = Schemas['VoiceAgent'];
export type VoiceAgentPage = Schemas['VoiceAgentPage'];
export type VoiceAgentDetail = Schemas['VoiceAgentResource'];
export type WrittenVoiceAgent = Schemas['WrittenVoiceAgent'];
export type CarrierAccount = Schemas['CarrierAccount'];
export type CarrierAccountCheck = Schemas['CarrierAccountCheck'];
export type CarrierAccountPage = Schemas['CarrierAccountPage'];
export type NumberPool = Schemas['NumberPoolResource'];
export type NumberPoolPage = Schemas['NumberPoolResourcePage'];
export type PhoneNumber = Schemas['PhoneNumberResource'];
export type PhoneNumberPage = Schemas['PhoneNumberResourcePage'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type WebhookEndpointWithSecret = Schemas['WebhookEndpointWithSecret'];
export type WebhookEndpointPage = Schemas['WebhookEndpointPage'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookDeliveryPage = Schemas['WebhookDeliveryPage'];
export type ReplayedEvents = Schemas['ReplayedEvents'];
export type Stop = Schemas['Stop'];
export type TeamPause = Schemas['TeamPause'];
export type OwnKey = Schemas['OwnKey'];

// And what it is sent.
export type TriggerCall = Schemas['TriggerCall'];
export type CallResultReport = Schemas['CallResultReport'];
export type ContactFields = Schemas['ContactFields'];
export type ContactChange = Schemas['ContactChange'];
export type EnrollFields = Schemas['EnrollFields'];

/** What happened. `type` says what `data` is. */
export type Event = Schemas['Event'];
export type EventPage = Schemas['EventPage'];
export type EventType = Event['type'];

/** What `webhookEndpoints.test` sends. */
export interface TestEvent {
  id: string;
  type: 'webhook.test';
  timestamp: string;
  teamId: string;
  sequence: 0;
  data: WebhookEndpoint;
}

/** What a webhook endpoint gets. A newer API may send further types. */
export type WebhookEvent = Event | TestEvent;
