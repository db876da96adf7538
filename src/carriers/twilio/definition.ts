import { ConfigError } from '../../config/config-error.js';
import { carrierDefinition } from '../carrier-definition.js';
import { twilioCallbacks } from './callbacks.js';
import { TwilioCarrier } from './twilio.carrier.js';
import { TwilioConfig } from './twilio.config.js';
import { twilioOptionsOf } from './twilio-options.js';
import { TWILIO_SETTINGS } from './twilio-settings.js';

export const twilio = carrierDefinition({
  name: 'twilio',
  config: TwilioConfig,
  required: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'PUBLIC_URL'],
  agentSettings: TWILIO_SETTINGS,
  create: (config) => {
    const options = twilioOptionsOf(config);
    if (options === null) throw new ConfigError('Twilio is not configured');
    return new TwilioCarrier(options);
  },
  callbacks: twilioCallbacks,
  securityScheme: {
    name: 'twilioSignature',
    scheme: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Twilio-Signature',
      description:
        'Twilio’s signature over the public URL and all fields of the form, made with the account’s auth token.',
    },
    refusal: 'Invalid signature',
  },
});
