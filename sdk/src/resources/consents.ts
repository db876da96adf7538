import { cursorList, type List } from '../core/list.js';
import { type Body, type Query } from '../core/operations.js';
import { type KeyedOptions, type RequestOptions } from '../core/options.js';
import { type Transport } from '../core/transport.js';
import { type Consent, type ConsentPage } from '../types.js';

export class Consents {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  record(body: Body<'recordConsentByKey'>, options: KeyedOptions = {}): Promise<Consent> {
    return this.#transport.json('recordConsentByKey', { body }, options);
  }

  /** The latest recorded first. */
  list(query: Query<'listConsentsByKey'> = {}, options?: RequestOptions): List<ConsentPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json('listConsentsByKey', { query: { ...query, cursor } }, options),
    );
  }

  revoke(id: string, body: Body<'revokeConsentByKey'> = {}, options?: RequestOptions): Promise<Consent> {
    return this.#transport.json('revokeConsentByKey', { path: { id }, body }, options);
  }
}
