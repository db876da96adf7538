import { carrierDefinition } from '../carrier-definition.js';
import { retellCallbacks } from './callbacks.js';
import { RetellCarrier } from './retell.carrier.js';
import { RetellConfig } from './retell.config.js';
import { RETELL_ACCOUNT_FIELDS, retellOptionsOf } from './retell-options.js';
import { RETELL_SETTINGS } from './retell-settings.js';

export const retell = carrierDefinition({
  name: 'retell',
  config: RetellConfig,
  required: ['PUBLIC_URL'],
  accountFields: RETELL_ACCOUNT_FIELDS,
  agentSettings: RETELL_SETTINGS,
  erasesCalls: true,
  create: (config) => new RetellCarrier(retellOptionsOf(config)),
  callbacks: retellCallbacks,
  securityScheme: {
    name: 'retellSignature',
    scheme: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Retell-Signature',
      description:
        'Retell’s signature: `v=`, the time in milliseconds, `,d=` and the HMAC-SHA256 of the body and the time, made with the key ' +
        'that has the webhook badge.',
    },
    refusal: 'Invalid signature',
  },
});
