import { type ElevenLabsOptions } from '../../../src/carriers/elevenlabs/elevenlabs-options.js';
import {
  ELEVENLABS_AGENT,
  ELEVENLABS_KEY,
  ELEVENLABS_SECRET,
} from '../../../tools/fake-carriers/fake-elevenlabs.js';

export const ELEVENLABS_SETTINGS = { agentId: ELEVENLABS_AGENT };

export function elevenLabsOptions(apiUrl: string, more: Partial<ElevenLabsOptions> = {}): ElevenLabsOptions {
  return {
    keys: { apiKey: ELEVENLABS_KEY, webhookSecret: ELEVENLABS_SECRET },
    apiUrl,
    publicUrl: 'https://calls.example.com',
    callsPerSecond: null,
    timeoutMs: 5_000,
    ...more,
  };
}
