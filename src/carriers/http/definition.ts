import { carrierDefinition } from '../carrier-definition.js';
import { httpCallbacks } from './callbacks.js';
import { HttpCarrier } from './http.carrier.js';
import { HttpCarrierConfig } from './http.config.js';

export const http = carrierDefinition({
  name: 'http',
  config: HttpCarrierConfig,
  required: ['HTTP_CARRIER_SECRET', 'PUBLIC_URL'],
  create: HttpCarrier.from,
  callbacks: httpCallbacks,
  securityScheme: {
    name: 'webhookSignature',
    scheme: {
      type: 'apiKey',
      in: 'header',
      name: 'webhook-signature',
      description:
        'The signature of Standard Webhooks by the `HTTP_CARRIER_SECRET` of the deployment, beside `webhook-id` and ' +
        '`webhook-timestamp`.',
    },
    refusal: 'Invalid webhook signature',
  },
});
