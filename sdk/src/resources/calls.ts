import { cursorList, type List } from '../core/list.js';
import { type Body, type Query } from '../core/operations.js';
import { type CallOptions, type CallWindow, type RequestOptions } from '../core/options.js';
import { valuesOf } from '../core/streams.js';
import { type Transport } from '../core/transport.js';
import {
  type Call,
  type CallAccepted,
  type CallExplanation,
  type ListedCall,
  type ListedCallPage,
  type Stop,
  type TeamPause,
} from '../types.js';

type ExportFilters = Omit<Query<'exportCalls'>, 'format' | 'bom'>;
type CsvFilters = Omit<Query<'exportCalls'>, 'format'>;

export class Calls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Places a call now, or schedules it for the next opening of the agent’s calling hours, at or after
   * `options.notBefore`.
   */
  create(agentId: string, body: Body<'triggerCall'>, options?: CallOptions): Promise<CallAccepted> {
    return this.#transport.json(
      'triggerCall',
      { path: { agentId }, query: windowOf(options), body },
      options,
    );
  }

  /** What `create` would do now; nothing is stored or called. */
  explain(
    agentId: string,
    body: Body<'explainCall'>,
    options?: RequestOptions & CallWindow,
  ): Promise<CallExplanation> {
    return this.#transport.json(
      'explainCall',
      { path: { agentId }, query: windowOf(options), body },
      options,
    );
  }

  get(callRequestId: string, options?: RequestOptions): Promise<Call> {
    return this.#transport.json('getCall', { path: { callRequestId } }, options);
  }

  /** The newest first. */
  list(query: Query<'listCallsByKey'> = {}, options?: RequestOptions): List<ListedCallPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json('listCallsByKey', { query: { ...query, cursor } }, options),
    );
  }

  /** Ends a call that is pending. */
  cancel(callRequestId: string, options?: RequestOptions): Promise<Call> {
    return this.#transport.json('cancelCall', { path: { callRequestId } }, options);
  }

  /** Ends a call in progress. The call is in progress until its carrier reports the end. */
  hangUp(callRequestId: string, options?: RequestOptions): Promise<Call> {
    return this.#transport.json('hangUpCall', { path: { callRequestId } }, options);
  }

  /** Pauses the team, and hangs up its calls in progress. Repeat it while `remaining` is above 0. */
  stopAll(options?: RequestOptions): Promise<Stop> {
    return this.#transport.json('stopOwnTeam', {}, options);
  }

  /** Ends the pause of `stopAll`. */
  resume(options?: RequestOptions): Promise<TeamPause> {
    return this.#transport.json('resumeOwnTeam', {}, options);
  }

  /** Reports what was found out in the call. */
  reportResult(
    callRequestId: string,
    body: Body<'reportCallResult'>,
    options?: RequestOptions,
  ): Promise<Call> {
    return this.#transport.json('reportCallResult', { path: { callRequestId }, body }, options);
  }

  /** All calls in one answer, the newest first. */
  export(filters: ExportFilters = {}, options?: RequestOptions): AsyncGenerator<ListedCall, void, undefined> {
    const input = { query: { ...filters, format: 'ndjson' as const }, accept: 'application/x-ndjson' };
    return valuesOf(this.#transport.bytes('exportCalls', input, options));
  }

  /** The same as the bytes of a CSV file. */
  exportCsv(filters: CsvFilters = {}, options?: RequestOptions): AsyncGenerator<Uint8Array, void, undefined> {
    const input = { query: { ...filters, format: 'csv' as const }, accept: 'text/csv' };
    return this.#transport.bytes('exportCalls', input, options);
  }
}

function windowOf({ notBefore, notAfter }: CallWindow = {}): CallWindow {
  return { notBefore, notAfter };
}
