/**
 * Every carrier that `CARRIER` and a voice agent may name, with the variables that it cannot do without. One whose
 * variables are not all set does not exist in this deployment.
 */
export const CARRIER_VARIABLES = {
  simulator: [],
  http: ['HTTP_CARRIER_SECRET', 'PUBLIC_URL'],
  twilio: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'PUBLIC_URL'],
  livekit: ['LIVEKIT_URL', 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET'],
} as const satisfies Record<string, readonly string[]>;

export type CarrierName = keyof typeof CARRIER_VARIABLES;

export const CARRIER_NAMES = Object.keys(CARRIER_VARIABLES) as CarrierName[];
