import { type Config } from '../../config/config.js';
import { type AccountField } from '../account-fields.js';
import { type CarrierCredentials } from '../carrier.js';
import { type RetellConfig } from './retell.config.js';

/** The credentials of one account at Retell. */
export interface RetellKeys {
  apiKey: string;
  /** With this key Retell signs its reports. */
  webhookKey: string;
}

export interface RetellOptions {
  /** The keys of the deployment's own account; null: it has none. */
  keys: RetellKeys | null;
  /** The base URL of Retell's API, without a slash at its end. */
  apiUrl: string;
  /** The deployment's public URL, without a slash at its end. */
  publicUrl: string;
  callsPerSecond: number | null;
  /** The longest duration of one request, in ms. */
  timeoutMs: number;
}

export const RETELL_ACCOUNT_FIELDS = [
  {
    name: 'apiKey',
    label: 'API key',
    hint: 'In Retell’s dashboard under API Keys.',
  },
  {
    name: 'webhookKey',
    label: 'Webhook key',
    hint: 'The key with the webhook badge, with which Retell signs its reports. Empty: it is the API key.',
    optional: true,
  },
] as const satisfies readonly AccountField[];

export function retellOptionsOf(config: Config & RetellConfig): RetellOptions {
  const { retellApiKey: apiKey, retellWebhookKey: webhookKey } = config;
  return {
    keys: apiKey === undefined ? null : { apiKey, webhookKey: webhookKey ?? apiKey },
    apiUrl: withoutSlash(config.retellApiUrl),
    publicUrl: withoutSlash(config.publicUrl ?? ''),
    callsPerSecond: config.retellCallsPerSecond ?? null,
    timeoutMs: config.retellTimeoutMs,
  };
}

/** The keys of a carrier account; null if an account of an earlier version lacks one. */
export function retellKeysOf({ apiKey, webhookKey }: CarrierCredentials): RetellKeys | null {
  return apiKey === undefined ? null : { apiKey, webhookKey: webhookKey ?? apiKey };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
