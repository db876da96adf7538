import { type PlaceCallRequest } from '../../../src/carriers/carrier.js';
import { type TwilioOptions } from '../../../src/carriers/twilio/twilio-options.js';
import { aDial } from '../support.js';
import { ACCOUNT_SID, AUTH_TOKEN, PUBLIC_URL } from '../../../tools/fake-carriers/fake-twilio.js';

export const RELAY = { conversationRelayUrl: 'wss://agent.example.com/relay' };

export function twilioOptions(apiUrl: string, more: Partial<TwilioOptions> = {}): TwilioOptions {
  return {
    accountSid: ACCOUNT_SID,
    authToken: AUTH_TOKEN,
    apiUrl,
    publicUrl: PUBLIC_URL,
    callsPerSecond: 1,
    timeLimitSeconds: 3_600,
    timeoutMs: 5_000,
    ...more,
  };
}

/** A dial of an agent with these settings. */
export function twilioDial(more: Partial<PlaceCallRequest> = {}): PlaceCallRequest {
  return { ...aDial(), generation: 0, carrierSettings: RELAY, ...more };
}
