import { type Config } from '../../config/config.js';
import { type AccountField } from '../account-fields.js';
import { type CarrierCredentials } from '../carrier.js';
import { type ElevenLabsConfig } from './elevenlabs.config.js';

/** The credentials of one workspace at ElevenLabs. */
export interface ElevenLabsKeys {
  apiKey: string;
  /** With this secret ElevenLabs signs its reports; null: none is accepted. */
  webhookSecret: string | null;
}

export interface ElevenLabsOptions {
  /** The keys of the deployment's own workspace; null: it has none. */
  keys: ElevenLabsKeys | null;
  /** The base URL of ElevenLabs' API, without a slash at its end. */
  apiUrl: string;
  /** The deployment's public URL, without a slash at its end. */
  publicUrl: string;
  callsPerSecond: number | null;
  /** The longest duration of one dial, in ms. */
  timeoutMs: number;
}

export const ELEVENLABS_ACCOUNT_FIELDS = [
  {
    name: 'apiKey',
    label: 'API key',
    hint: 'In ElevenLabs’ dashboard under API Keys, with access to ElevenAgents.',
  },
  {
    name: 'webhookSecret',
    label: 'Webhook secret',
    hint: 'Shown once when the webhook with the address of this account’s reports is created. Empty: each call is looked up.',
    optional: true,
  },
] as const satisfies readonly AccountField[];

export function elevenLabsOptionsOf(config: Config & ElevenLabsConfig): ElevenLabsOptions {
  const { elevenlabsApiKey: apiKey, elevenlabsWebhookSecret: webhookSecret } = config;
  return {
    keys: apiKey === undefined ? null : { apiKey, webhookSecret: webhookSecret ?? null },
    apiUrl: withoutSlash(config.elevenlabsApiUrl),
    publicUrl: withoutSlash(config.publicUrl ?? ''),
    callsPerSecond: config.elevenlabsCallsPerSecond ?? null,
    timeoutMs: config.elevenlabsTimeoutMs,
  };
}

/** The keys of a carrier account; null if an account of an earlier version lacks one. */
export function elevenLabsKeysOf({ apiKey, webhookSecret }: CarrierCredentials): ElevenLabsKeys | null {
  return apiKey === undefined ? null : { apiKey, webhookSecret: webhookSecret ?? null };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
