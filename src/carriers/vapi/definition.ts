import { carrierDefinition } from '../carrier-definition.js';
import { vapiCallbacks } from './callbacks.js';
import { VapiCarrier } from './vapi.carrier.js';
import { VapiConfig } from './vapi.config.js';
import { VAPI_ACCOUNT_FIELDS, vapiOptionsOf } from './vapi-options.js';
import { SECRET_HEADER } from './vapi-secret.js';
import { VAPI_SETTINGS } from './vapi-settings.js';

export const vapi = carrierDefinition({
  name: 'vapi',
  config: VapiConfig,
  required: ['PUBLIC_URL'],
  accountFields: VAPI_ACCOUNT_FIELDS,
  agentSettings: VAPI_SETTINGS,
  erasesCalls: true,
  create: (config) => new VapiCarrier(vapiOptionsOf(config)),
  callbacks: vapiCallbacks,
  securityScheme: {
    name: 'vapiSecret',
    scheme: {
      type: 'apiKey',
      in: 'header',
      name: SECRET_HEADER,
      description:
        'The secret of one call, which Outdial gives to Vapi with the dial: the call’s id, a dot, and an HMAC-SHA256 of the id, ' +
        'made with the API key.',
    },
    refusal: 'Invalid secret',
  },
});
