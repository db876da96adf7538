import { cursorList, type List } from '../core/list.js';
import { type Body, type Query } from '../core/operations.js';
import { type RequestOptions } from '../core/options.js';
import { type Transport } from '../core/transport.js';
import { type DoNotCallPage, type NumbersAdded } from '../types.js';

export class DoNotCall {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Adds numbers that the team never dials; their pending calls end at once. */
  add(body: Body<'addToDoNotCallByKey'>, options?: RequestOptions): Promise<NumbersAdded> {
    return this.#transport.json('addToDoNotCallByKey', { body }, options);
  }

  /** The newest first. */
  list(query: Query<'listDoNotCallByKey'> = {}, options?: RequestOptions): List<DoNotCallPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json('listDoNotCallByKey', { query: { ...query, cursor } }, options),
    );
  }

  remove(phoneNumber: string, options?: RequestOptions): Promise<void> {
    return this.#transport.json('removeFromDoNotCallByKey', { path: { phoneNumber } }, options);
  }
}
