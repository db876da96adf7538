import { carrierDefinition } from '../carrier-definition.js';
import { elevenLabsCallbacks } from './callbacks.js';
import { ElevenLabsCarrier } from './elevenlabs.carrier.js';
import { ElevenLabsConfig } from './elevenlabs.config.js';
import { ELEVENLABS_ACCOUNT_FIELDS, elevenLabsOptionsOf } from './elevenlabs-options.js';
import { ELEVENLABS_SETTINGS } from './elevenlabs-settings.js';

export const elevenlabs = carrierDefinition({
  name: 'elevenlabs',
  config: ElevenLabsConfig,
  required: ['PUBLIC_URL'],
  accountFields: ELEVENLABS_ACCOUNT_FIELDS,
  agentSettings: ELEVENLABS_SETTINGS,
  erasesCalls: true,
  create: (config) => new ElevenLabsCarrier(elevenLabsOptionsOf(config)),
  callbacks: elevenLabsCallbacks,
  securityScheme: {
    name: 'elevenLabsSignature',
    scheme: {
      type: 'apiKey',
      in: 'header',
      name: 'ElevenLabs-Signature',
      description:
        'ElevenLabs’ signature: `t=`, the time in seconds, `,v0=` and the HMAC-SHA256 of the time, a dot and the body, made with ' +
        'the secret of the webhook.',
    },
    refusal: 'Invalid signature',
  },
});
