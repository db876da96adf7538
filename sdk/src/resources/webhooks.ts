import { cursorList, type List } from '../core/list.js';
import { type Body, type Query } from '../core/operations.js';
import { type RequestOptions } from '../core/options.js';
import { type Transport } from '../core/transport.js';
import {
  type ReplayedEvents,
  type WebhookDelivery,
  type WebhookDeliveryPage,
  type WebhookEndpoint,
  type WebhookEndpointPage,
  type WebhookEndpointWithSecret,
} from '../types.js';

export class WebhookEndpoints {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The answer has the secret. No later answer shows it. */
  create(body: Body<'createWebhookEndpoint'>, options?: RequestOptions): Promise<WebhookEndpointWithSecret> {
    return this.#transport.json('createWebhookEndpoint', { body }, options);
  }

  get(id: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.#transport.json('getWebhookEndpoint', { path: { id } }, options);
  }

  /** The newest first. */
  list(query: Query<'listWebhookEndpoints'> = {}, options?: RequestOptions): List<WebhookEndpointPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json('listWebhookEndpoints', { query: { ...query, cursor } }, options),
    );
  }

  update(
    id: string,
    body: Body<'updateWebhookEndpoint'>,
    options?: RequestOptions,
  ): Promise<WebhookEndpoint> {
    return this.#transport.json('updateWebhookEndpoint', { path: { id }, body }, options);
  }

  /** Deletes the endpoint with its deliveries. */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#transport.json('deleteWebhookEndpoint', { path: { id } }, options);
  }

  /** Makes a new secret. For 24 hours the secret before it signs, too. */
  rotateSecret(id: string, options?: RequestOptions): Promise<WebhookEndpointWithSecret> {
    return this.#transport.json('rotateWebhookSecret', { path: { id } }, options);
  }

  /** Sends an event of the type `webhook.test`. */
  test(id: string, options?: RequestOptions): Promise<WebhookDelivery> {
    return this.#transport.json('testWebhookEndpoint', { path: { id } }, options);
  }

  /** Those of the newest events first. */
  deliveries(
    id: string,
    query: Query<'listWebhookDeliveries'> = {},
    options?: RequestOptions,
  ): List<WebhookDeliveryPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json('listWebhookDeliveries', { path: { id }, query: { ...query, cursor } }, options),
    );
  }

  /** Sends kept events again, of which at most 10,000 are looked at. */
  replay(id: string, body: Body<'replayWebhookEvents'>, options?: RequestOptions): Promise<ReplayedEvents> {
    return this.#transport.json('replayWebhookEvents', { path: { id }, body }, options);
  }
}

export class WebhookDeliveries {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get(id: string, options?: RequestOptions): Promise<WebhookDelivery> {
    return this.#transport.json('getWebhookDelivery', { path: { id } }, options);
  }

  /** Sends the event at once. One that was delivered meanwhile is sent again only with `force`. */
  retry(
    id: string,
    query: Query<'retryWebhookDelivery'> = {},
    options?: RequestOptions,
  ): Promise<WebhookDelivery> {
    return this.#transport.json('retryWebhookDelivery', { path: { id }, query }, options);
  }
}
