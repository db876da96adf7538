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
  list({ after = 0, types, ...query }: EventQuery = {}, options?: RequestOptions): List<EventPage, number> {
    // The API takes several types as one parameter, separated by commas.
    const filters = types === undefined ? query : { types: types.join(','), ...query };
    return new List(
      after,
      (position: number) =>
        this.#transport.json('listEvents', { query: { ...filters, after: position } }, options),
      ({ nextAfter }: EventPage, position) => (nextAfter === position ? null : nextAfter),
    );
  }
}
