import { type Config } from '../../config/config.js';
import { type AccountField } from '../account-fields.js';
import { type CarrierCredentials } from '../carrier.js';
import { type VapiConfig } from './vapi.config.js';

export interface VapiOptions {
  /** The key of the deployment's own account; null: it has none. */
  apiKey: string | null;
  /** The base URL of Vapi's API, without a slash at its end. */
  apiUrl: string;
  /** The deployment's public URL, without a slash at its end. */
  publicUrl: string;
  callsPerSecond: number | null;
  /** The longest duration of one dial, in ms. */
  timeoutMs: number;
}

export const VAPI_ACCOUNT_FIELDS = [
  {
    name: 'apiKey',
    label: 'Private key',
    hint: 'In Vapi’s dashboard under API Keys. The public key cannot dial.',
  },
] as const satisfies readonly AccountField[];

export function vapiOptionsOf(config: Config & VapiConfig): VapiOptions {
  return {
    apiKey: config.vapiApiKey ?? null,
    apiUrl: withoutSlash(config.vapiApiUrl),
    publicUrl: withoutSlash(config.publicUrl ?? ''),
    callsPerSecond: config.vapiCallsPerSecond ?? null,
    timeoutMs: config.vapiTimeoutMs,
  };
}

/** The key of a carrier account; null if an account of an earlier version lacks it. */
export function vapiKeyOf({ apiKey }: CarrierCredentials): string | null {
  return apiKey ?? null;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
