import { Transport } from './core/transport.js';
import { CarrierAccounts, NumberPools, PhoneNumbers, VoiceAgents } from './resources/agents-and-numbers.js';
import { Calls } from './resources/calls.js';
import { CampaignEnrollments, Campaigns, CampaignVersions } from './resources/campaigns.js';
import { Consents } from './resources/consents.js';
import { Contacts } from './resources/contacts.js';
import { DoNotCall } from './resources/do-not-call.js';
import { Enrollments } from './resources/enrollments.js';
import { Events } from './resources/events.js';
import { Imports } from './resources/imports.js';
import { Key } from './resources/key.js';
import { WebhookDeliveries, WebhookEndpoints } from './resources/webhooks.js';

export interface OutdialOptions {
  /** Where the API answers: `https://outdial.example.com`. */
  baseUrl: string | undefined;
  /** Of the team: `od_live_…`. */
  apiKey: string | undefined;
  /**
   * Milliseconds that an attempt may wait for the answer, and for each part of a stream; 30,000 unless given,
   * 0 is no limit.
   */
  timeoutMs?: number;
  /** How often a request is repeated at most; 3 unless given. */
  maxRetries?: number;
  /** The pause before the first repetition, doubled before each further one; 500 ms unless given. */
  backoffMs?: number;
  /** Instead of the runtime's own. */
  fetch?: typeof fetch;
}

/** The API of one team. */
export class Outdial {
  readonly calls: Calls;
  readonly contacts: Contacts;
  readonly imports: Imports;
  readonly enrollments: Enrollments;
  readonly campaigns: Campaigns;
  readonly campaignVersions: CampaignVersions;
  readonly campaignEnrollments: CampaignEnrollments;
  readonly events: Events;
  readonly doNotCall: DoNotCall;
  readonly consents: Consents;
  readonly voiceAgents: VoiceAgents;
  readonly phoneNumbers: PhoneNumbers;
  readonly numberPools: NumberPools;
  readonly carrierAccounts: CarrierAccounts;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookDeliveries: WebhookDeliveries;
  readonly key: Key;

  /** @throws TypeError without an API key, or with a base URL that is none. */
  constructor({ baseUrl, apiKey, ...options }: OutdialOptions) {
    if (!baseUrl || !/^https?:/.test(new URL(baseUrl).protocol))
      throw new TypeError('baseUrl must be the http(s) URL of the API');
    if (!apiKey) throw new TypeError('apiKey is missing');
    const { timeoutMs = 30_000, maxRetries = 3, backoffMs = 500, fetch = globalThis.fetch } = options;
    const transport = new Transport({ baseUrl, timeoutMs, maxRetries, backoffMs, fetch }, apiKey);
    this.calls = new Calls(transport);
    this.contacts = new Contacts(transport);
    this.imports = new Imports(transport);
    this.enrollments = new Enrollments(transport);
    this.campaigns = new Campaigns(transport);
    this.campaignVersions = new CampaignVersions(transport);
    this.campaignEnrollments = new CampaignEnrollments(transport);
    this.events = new Events(transport);
    this.doNotCall = new DoNotCall(transport);
    this.consents = new Consents(transport);
    this.voiceAgents = new VoiceAgents(transport);
    this.phoneNumbers = new PhoneNumbers(transport);
    this.numberPools = new NumberPools(transport);
    this.carrierAccounts = new CarrierAccounts(transport);
    this.webhookEndpoints = new WebhookEndpoints(transport);
    this.webhookDeliveries = new WebhookDeliveries(transport);
    this.key = new Key(transport);
  }
}
