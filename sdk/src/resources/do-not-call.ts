import { cursorList, type List } from '../core/list.js';
import { type Body, type Query } from '../core/operations.js';
import { type RequestOptions } from '../core/options.js';
import { type Transport } from '../core/transport.js';
import {
  type DoNotCallPage,
  type LimitedDoNotCallPage,
  type NumbersAdded,
  type SuppressionEntryPage,
} from '../types.js';

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

  /** The ledger of a number, the newest entry first. */
  history(query: Query<'doNotCallHistoryByKey'> = {}, options?: RequestOptions): List<SuppressionEntryPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json('doNotCallHistoryByKey', { query: { ...query, cursor } }, options),
    );
  }

  /** The entries that hold only for a campaign, an agent, a purpose or a time, the newest first. */
  limited(
    query: Query<'listLimitedDoNotCallByKey'> = {},
    options?: RequestOptions,
  ): List<LimitedDoNotCallPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json('listLimitedDoNotCallByKey', { query: { ...query, cursor } }, options),
    );
  }

  /** @param query the scope of the entries; by default, the team's. */
  remove(
    phoneNumber: string,
    options?: RequestOptions,
    query: Query<'removeFromDoNotCallByKey'> = {},
  ): Promise<void> {
    return this.#transport.json('removeFromDoNotCallByKey', { path: { phoneNumber }, query }, options);
  }
}
