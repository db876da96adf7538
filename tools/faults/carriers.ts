import { ACCOUNT_SID, AUTH_TOKEN } from '../fake-carriers/fake-twilio.js';
import { ELEVENLABS_AGENT, ELEVENLABS_KEY, ELEVENLABS_SECRET } from '../fake-carriers/fake-elevenlabs.js';
import { API_KEY, API_SECRET, TRUNK } from '../fake-carriers/fake-livekit.js';
import { RETELL_AGENT, RETELL_KEY } from '../fake-carriers/fake-retell.js';
import { VAPI_ASSISTANT, VAPI_KEY } from '../fake-carriers/fake-vapi.js';

const CALLBACK_TOKEN = 'callback-token-of-the-faults';
const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 'of the faults').toString('base64')}`;
/** With each carrier alike, so that the same times hold. */
const TIMEOUT_MS = '5000';

/** A carrier that the harness can stand behind. */
export interface FaultCarrierSetup {
  /**
   * The process that plays it: the simulator's engine, with its rules and its dial log, behind the carrier's
   * protocol.
   */
  entry: string;
  /** Whether that has a port for its rules beside the one for calls. */
  listensTwice: boolean;
  /** What that process is told beside the engine's options. */
  process: NodeJS.ProcessEnv;
  /** The product's configuration for it, at `url`; it reports to `publicUrl`. */
  product(url: string, publicUrl: string): NodeJS.ProcessEnv;
  /** Of each agent. */
  carrierSettings: object;
  /** Whether its reports have the results of calls. */
  reportsResults: boolean;
}

const SIMULATOR = 'tools/simulator';
const PLAYED = 'tools/faults/carrier-process';

export const FAULT_CARRIERS = {
  simulator: {
    entry: SIMULATOR,
    listensTwice: false,
    process: { SIMULATOR_CALLBACK_TOKEN: CALLBACK_TOKEN },
    product: (url) => ({ SIMULATOR_URL: url, SIMULATOR_CALLBACK_TOKEN: CALLBACK_TOKEN }),
    carrierSettings: {},
    reportsResults: true,
  },
  http: {
    entry: SIMULATOR,
    listensTwice: false,
    process: { SIMULATOR_SIGNING_SECRET: SIGNING_SECRET },
    product: (url, publicUrl) => ({
      HTTP_CARRIER_URL: `${url}/v1/calls`,
      HTTP_CARRIER_SECRET: SIGNING_SECRET,
      PUBLIC_URL: publicUrl,
      HTTP_CARRIER_ALLOW_PRIVATE: 'true',
      HTTP_CARRIER_TIMEOUT_MS: TIMEOUT_MS,
    }),
    carrierSettings: {},
    reportsResults: true,
  },
  twilio: {
    entry: PLAYED,
    listensTwice: true,
    process: { FAULT_CARRIER: 'twilio' },
    product: (url, publicUrl) => ({
      TWILIO_ACCOUNT_SID: ACCOUNT_SID,
      TWILIO_AUTH_TOKEN: AUTH_TOKEN,
      PUBLIC_URL: publicUrl,
      // More than are placed: how calls are paced has tests of its own.
      TWILIO_API_URL: url,
      TWILIO_TIMEOUT_MS: TIMEOUT_MS,
      TWILIO_CALLS_PER_SECOND: '200',
    }),
    // Only with detection does Twilio tell a voicemail from a person.
    carrierSettings: {
      conversationRelayUrl: 'wss://agent.example.com/relay',
      machineDetection: 'DetectMessageEnd',
    },
    reportsResults: false,
  },
  livekit: {
    entry: PLAYED,
    listensTwice: true,
    process: { FAULT_CARRIER: 'livekit' },
    product: (url) => ({
      LIVEKIT_URL: url,
      LIVEKIT_API_KEY: API_KEY,
      LIVEKIT_API_SECRET: API_SECRET,
      LIVEKIT_SIP_TRUNK_ID: TRUNK,
      LIVEKIT_AGENT_NAME: 'caller',
      LIVEKIT_TIMEOUT_MS: TIMEOUT_MS,
    }),
    carrierSettings: {},
    reportsResults: false,
  },
  retell: {
    entry: PLAYED,
    listensTwice: true,
    process: { FAULT_CARRIER: 'retell' },
    product: (url, publicUrl) => ({
      RETELL_API_KEY: RETELL_KEY,
      RETELL_API_URL: url,
      PUBLIC_URL: publicUrl,
      RETELL_TIMEOUT_MS: TIMEOUT_MS,
    }),
    carrierSettings: { agentId: RETELL_AGENT },
    reportsResults: false,
  },
  vapi: {
    entry: PLAYED,
    listensTwice: true,
    process: { FAULT_CARRIER: 'vapi' },
    product: (url, publicUrl) => ({
      VAPI_API_KEY: VAPI_KEY,
      VAPI_API_URL: url,
      PUBLIC_URL: publicUrl,
      VAPI_TIMEOUT_MS: TIMEOUT_MS,
    }),
    carrierSettings: { assistantId: VAPI_ASSISTANT },
    reportsResults: false,
  },
  elevenlabs: {
    entry: PLAYED,
    listensTwice: true,
    process: { FAULT_CARRIER: 'elevenlabs' },
    product: (url, publicUrl) => ({
      ELEVENLABS_API_KEY: ELEVENLABS_KEY,
      ELEVENLABS_WEBHOOK_SECRET: ELEVENLABS_SECRET,
      ELEVENLABS_API_URL: url,
      PUBLIC_URL: publicUrl,
      ELEVENLABS_TIMEOUT_MS: TIMEOUT_MS,
    }),
    carrierSettings: { agentId: ELEVENLABS_AGENT },
    reportsResults: false,
  },
} as const satisfies Record<string, FaultCarrierSetup>;

export type FaultCarrier = keyof typeof FAULT_CARRIERS;
export const FAULT_CARRIER_NAMES = Object.keys(FAULT_CARRIERS) as FaultCarrier[];
