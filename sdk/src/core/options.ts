/** Of one request, instead of the client's own. */
export interface RequestOptions {
  /** Ends the request; the method then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Milliseconds that an attempt may wait for the answer; 0 is no limit. */
  timeoutMs?: number;
  /** How often the request is repeated at most. */
  maxRetries?: number;
  /** Further headers, such as `X-Request-Id`. */
  headers?: Record<string, string>;
}

/** Of a call that is not placed at once. */
export interface CallOptions extends KeyedOptions, CallWindow {}

/** When a call may be made. Instants are ISO 8601 with an offset, at most 90 days ahead. */
export interface CallWindow {
  /** The call waits for the first opening of the agent’s calling hours at or after this instant. */
  notBefore?: string;
  /** The call expires at this instant if it is still pending. */
  notAfter?: string;
}

/** Of a request that stores a contact. */
export interface ContactOptions extends KeyedOptions {
  /** The id of the contact in another system: 1 to 255 printable ASCII characters. */
  externalId?: string;
}

/** Of a request that the API answers once for each key. */
export interface KeyedOptions extends RequestOptions {
  /** 1 to 255 printable characters; a UUID unless given. Its repetitions carry the same one. */
  idempotencyKey?: string;
}
