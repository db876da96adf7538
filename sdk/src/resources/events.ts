import { List } from '../core/list.js';
import { type Query } from '../core/operations.js';
import { type RequestOptions } from '../core/options.js';
import { type Transport } from '../core/transport.js';
import { type EventPage, type EventType } from '../types.js';

export interface EventQuery extends Omit<Query<'listEvents'>, 'types'> {
  /** Only events of these types. */
  types?: readonly EventType[];
}

export class Events {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Events in their order, up to the newest. Keep the `nextAfter` of the last page: the next list begins
   * `after` it.
   */
  list({ after = 0, ...query }: EventQuery = {}, options?: RequestOptions): List<EventPage, number> {
    return new List(
      after,
      (position: number) =>
        this.#transport.json('listEvents', { query: { ...query, after: position } }, options),
      ({ nextAfter }: EventPage, position) => (nextAfter === position ? null : nextAfter),
    );
  }
}
