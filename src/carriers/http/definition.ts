import { carrierDefinition } from '../carrier-definition.js';
import { httpCallbacks } from './callbacks.js';
import { HttpCarrier } from './http.carrier.js';
import { HttpCarrierConfig } from './http.config.js';
import { HTTP_SETTINGS } from './http-settings.js';

export const http = carrierDefinition({
  name: 'http',
  config: HttpCarrierConfig,
  required: ['HTTP_CARRIER_SECRET', 'PUBLIC_URL'],
  agentSettings: HTTP_SETTINGS,
  create: HttpCarrier.from,
  callbacks: httpCallbacks,
  securityScheme: {
    name: 'webhookSignature',
    scheme: {
      type: 'apiKey',
      in: 'header',
      name: 'webhook-signature',
      description:
        'A signature as Standard Webhooks specifies, made with the `HTTP_CARRIER_SECRET` of the deployment. ' +
        'The headers `webhook-id` and `webhook-timestamp` are sent with it.',
    },
    refusal: 'Invalid webhook signature',
  },
});
