import { type VapiOptions } from '../../../src/carriers/vapi/vapi-options.js';
import { VAPI_ASSISTANT, VAPI_KEY } from '../../../tools/fake-carriers/fake-vapi.js';

export const VAPI_SETTINGS = { assistantId: VAPI_ASSISTANT };

export function vapiOptions(apiUrl: string, more: Partial<VapiOptions> = {}): VapiOptions {
  return {
    apiKey: VAPI_KEY,
    apiUrl,
    publicUrl: 'https://calls.example.com',
    callsPerSecond: null,
    timeoutMs: 5_000,
    ...more,
  };
}
