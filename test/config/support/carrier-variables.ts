import { HOUR_MS, texts, type Variable, wholeNumber } from './variable.js';

export const LIVEKIT = {
  LIVEKIT_URL: 'wss://x.livekit.cloud',
  LIVEKIT_API_KEY: 'APIabc123',
  LIVEKIT_API_SECRET: 'hush-the-secret-of-livekit',
};

export const TWILIO = {
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'hush-the-token-of-twilio',
  PUBLIC_URL: 'https://calls.example.com',
};

export const RETELL = {
  RETELL_API_KEY: 'key_hush-the-key-of-retell',
  PUBLIC_URL: 'https://calls.example.com',
};

export const ELEVENLABS = {
  ELEVENLABS_API_KEY: 'sk_hush-the-key-of-elevenlabs',
  PUBLIC_URL: 'https://calls.example.com',
};

export const API_KEY = {
  TWILIO_API_KEY_SID: `SK${'0'.repeat(32)}`,
  TWILIO_API_KEY_SECRET: 'hush-the-secret-of-twilio',
};

export const signingSecret = (bytes: number) =>
  `whsec_${Buffer.alloc(bytes, 'hush-the-bytes').toString('base64')}`;

/** In the order of the carriers' configurations and of `.env.example`. */
export const CARRIER_VARIABLES: Record<string, Variable> = {
  // What the rules say is read by the simulator itself.
  SIMULATOR_RULES: { property: 'simulatorRules', unset: undefined, good: texts('[]'), bad: [] },
  SIMULATOR_DIAL_LOG: {
    property: 'simulatorDialLog',
    unset: undefined,
    good: texts('/tmp/dials.ndjson'),
    bad: [],
  },
  SIMULATOR_ACCEPT_MS: wholeNumber('simulatorAcceptMs', undefined, 0, HOUR_MS),
  SIMULATOR_RING_MS: wholeNumber('simulatorRingMs', undefined, 0, HOUR_MS),
  SIMULATOR_TALK_MS: wholeNumber('simulatorTalkMs', undefined, 0, HOUR_MS),
  SIMULATOR_CALLS_PER_SECOND: wholeNumber('simulatorCallsPerSecond', undefined, 1, 1_000),
  SIMULATOR_URL: {
    property: 'simulatorUrl',
    unset: undefined,
    good: texts('http://127.0.0.1:4010', 'https://simulator.example.com', 'http://outdial_simulator:4010'),
    bad: ['localhost:4010', 'ftp://localhost:4010', 'http://', ' '],
  },
  SIMULATOR_CALLBACK_TOKEN: {
    property: 'simulatorCallbackToken',
    unset: undefined,
    good: texts('sixteen-letters-'),
    bad: ['fifteen-letters', 'a token with spaces in it', 'x'.repeat(501)],
  },
  HTTP_CARRIER_URL: {
    property: 'httpCarrierUrl',
    unset: undefined,
    good: texts('https://agents.example.com/calls?line=7', 'http://runtime:4020/calls'),
    bad: ['agents.example.com', 'ftp://agents.example.com', ' '],
  },
  HTTP_CARRIER_SECRET: {
    property: 'httpCarrierSecret',
    unset: undefined,
    good: texts(
      signingSecret(24),
      signingSecret(25),
      signingSecret(64),
      `${signingSecret(24)},${signingSecret(32)}`,
    ),
    bad: [
      'whsec_x',
      'hush',
      signingSecret(23),
      signingSecret(65),
      signingSecret(24).slice(6),
      `${signingSecret(25).slice(0, -1)}`,
      `${signingSecret(24)},`,
      `${signingSecret(24)} ${signingSecret(24)}`,
    ],
  },
  HTTP_CARRIER_ALLOW_PRIVATE: {
    property: 'httpCarrierAllowPrivate',
    unset: false,
    good: [
      ['true', true],
      ['false', false],
    ],
    bad: ['yes', '1', 'TRUE'],
  },
  HTTP_CARRIER_TIMEOUT_MS: wholeNumber('httpCarrierTimeoutMs', 10_000, 100, 60_000),
  HTTP_CARRIER_CALLS_PER_SECOND: wholeNumber('httpCarrierCallsPerSecond', undefined, 1, 10_000),
  TWILIO_ACCOUNT_SID: {
    property: 'twilioAccountSid',
    unset: undefined,
    good: texts(`AC${'0123456789abcdef'.repeat(2)}`),
    beside: TWILIO,
    bad: ['AC123', `SK${'0'.repeat(32)}`, `AC${'g'.repeat(32)}`],
  },
  TWILIO_AUTH_TOKEN: {
    property: 'twilioAuthToken',
    unset: undefined,
    good: texts('0123456789abcdef'.repeat(2)),
    beside: TWILIO,
    bad: ['fifteen-letters', 'a token with spaces in it', 'x'.repeat(501)],
  },
  TWILIO_API_KEY_SID: {
    property: 'twilioApiKeySid',
    unset: undefined,
    good: texts(`SK${'0123456789abcdef'.repeat(2)}`),
    beside: { ...TWILIO, ...API_KEY },
    bad: ['SK123', `AC${'0'.repeat(32)}`],
  },
  TWILIO_API_KEY_SECRET: {
    property: 'twilioApiKeySecret',
    unset: undefined,
    good: texts('0123456789abcdef'.repeat(2)),
    beside: { ...TWILIO, ...API_KEY },
    bad: ['fifteen-letters', 'a token with spaces in it'],
  },
  TWILIO_CALLS_PER_SECOND: wholeNumber('twilioCallsPerSecond', 1, 1, 1_000),
  TWILIO_TIMEOUT_MS: wholeNumber('twilioTimeoutMs', 10_000, 100, 60_000),
  TWILIO_API_URL: {
    property: 'twilioApiUrl',
    unset: 'https://api.twilio.com',
    good: texts('https://api.dublin.ie1.twilio.com', 'http://127.0.0.1:4010'),
    bad: ['api.twilio.com', 'ftp://api.twilio.com', ' '],
  },
  LIVEKIT_URL: {
    property: 'livekitUrl',
    unset: undefined,
    good: texts(
      'https://x.livekit.cloud',
      'wss://x.livekit.cloud',
      'ws://livekit:7880',
      'http://127.0.0.1:7880',
    ),
    bad: ['x.livekit.cloud', 'ftp://x.livekit.cloud', 'wss://', ' '],
    beside: LIVEKIT,
  },
  LIVEKIT_API_KEY: {
    property: 'livekitApiKey',
    unset: undefined,
    good: texts('APIabc123', 'devkey'),
    bad: ['two words', 'x'.repeat(201)],
    beside: LIVEKIT,
  },
  LIVEKIT_API_SECRET: {
    property: 'livekitApiSecret',
    unset: undefined,
    good: texts('six-ch', 'four!'.repeat(100)),
    bad: ['short', 'a secret with spaces', 'x'.repeat(501)],
    beside: LIVEKIT,
  },
  LIVEKIT_SIP_TRUNK_ID: {
    property: 'livekitSipTrunkId',
    unset: undefined,
    good: texts('ST_abc123'),
    bad: ['two words', 'x'.repeat(101)],
  },
  LIVEKIT_AGENT_NAME: {
    property: 'livekitAgentName',
    unset: undefined,
    good: texts('outbound-caller'),
    bad: ['two words', 'x'.repeat(101)],
  },
  LIVEKIT_CALLS_PER_SECOND: wholeNumber('livekitCallsPerSecond', undefined, 1, 1_000),
  LIVEKIT_TIMEOUT_MS: wholeNumber('livekitTimeoutMs', 15_000, 100, 60_000),
  RETELL_API_KEY: {
    property: 'retellApiKey',
    unset: undefined,
    good: texts('key_0123456789abcdef'),
    bad: ['fifteen-letters', 'a key with spaces in it', 'x'.repeat(501)],
    beside: { PUBLIC_URL: 'https://calls.example.com' },
  },
  RETELL_WEBHOOK_KEY: {
    property: 'retellWebhookKey',
    unset: undefined,
    good: texts('key_fedcba9876543210'),
    bad: ['fifteen-letters', 'a key with spaces in it', 'x'.repeat(501)],
    beside: RETELL,
  },
  RETELL_CALLS_PER_SECOND: wholeNumber('retellCallsPerSecond', undefined, 1, 1_000),
  RETELL_TIMEOUT_MS: wholeNumber('retellTimeoutMs', 10_000, 100, 60_000),
  RETELL_API_URL: {
    property: 'retellApiUrl',
    unset: 'https://api.retellai.com',
    good: texts('http://127.0.0.1:4010'),
    bad: ['api.retellai.com', 'ftp://api.retellai.com', ' '],
  },
  VAPI_API_KEY: {
    property: 'vapiApiKey',
    unset: undefined,
    good: texts('5b0a4a08-133c-4146-9315-0984f8c6be80'),
    bad: ['fifteen-letters', 'a key with spaces in it', 'x'.repeat(501)],
    beside: { PUBLIC_URL: 'https://calls.example.com' },
  },
  VAPI_CALLS_PER_SECOND: wholeNumber('vapiCallsPerSecond', undefined, 1, 1_000),
  VAPI_TIMEOUT_MS: wholeNumber('vapiTimeoutMs', 10_000, 100, 60_000),
  VAPI_API_URL: {
    property: 'vapiApiUrl',
    unset: 'https://api.vapi.ai',
    good: texts('http://127.0.0.1:4010'),
    bad: ['api.vapi.ai', 'ftp://api.vapi.ai', ' '],
  },
  ELEVENLABS_API_KEY: {
    property: 'elevenlabsApiKey',
    unset: undefined,
    good: texts('sk_0123456789abcdef'),
    bad: ['fifteen-letters', 'a key with spaces in it', 'x'.repeat(501)],
    beside: { PUBLIC_URL: 'https://calls.example.com' },
  },
  ELEVENLABS_WEBHOOK_SECRET: {
    property: 'elevenlabsWebhookSecret',
    unset: undefined,
    good: texts('wsec_0123456789abcdef'),
    bad: ['fifteen-letters', 'a secret with spaces', 'x'.repeat(501)],
    beside: ELEVENLABS,
  },
  ELEVENLABS_CALLS_PER_SECOND: wholeNumber('elevenlabsCallsPerSecond', undefined, 1, 1_000),
  ELEVENLABS_TIMEOUT_MS: wholeNumber('elevenlabsTimeoutMs', 15_000, 100, 60_000),
  ELEVENLABS_API_URL: {
    property: 'elevenlabsApiUrl',
    unset: 'https://api.elevenlabs.io',
    good: texts('http://127.0.0.1:4010'),
    bad: ['api.elevenlabs.io', 'ftp://api.elevenlabs.io', ' '],
  },
};
