import { type RequestOptions } from '../core/options.js';
import { type Transport } from '../core/transport.js';
import { type OwnKey } from '../types.js';

export class Key {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** What the API key is and may do. */
  get(options?: RequestOptions): Promise<OwnKey> {
    return this.#transport.json('getOwnKey', {}, options);
  }
}
