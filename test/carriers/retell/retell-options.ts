import { type RetellOptions } from '../../../src/carriers/retell/retell-options.js';
import { RETELL_AGENT, RETELL_KEY } from '../../../tools/fake-carriers/fake-retell.js';

export const RETELL_SETTINGS = { agentId: RETELL_AGENT };

export function retellOptions(apiUrl: string, more: Partial<RetellOptions> = {}): RetellOptions {
  return {
    keys: { apiKey: RETELL_KEY, webhookKey: RETELL_KEY },
    apiUrl,
    publicUrl: 'https://calls.example.com',
    callsPerSecond: null,
    timeoutMs: 5_000,
    ...more,
  };
}
