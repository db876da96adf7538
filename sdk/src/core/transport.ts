import { apiErrorOf, ConnectionError, OutdialError, TimeoutError } from '../errors.js';
import { type Sent } from './content.js';
import { Deadline } from './deadline.js';
import { type Answer, type OperationId } from './operations.js';
import { type KeyedOptions } from './options.js';
import { type Input, prepare, type PreparedRequest } from './request.js';
import { pause, pauseAfter } from './retry.js';
import { bytesOf } from './streams.js';

export interface TransportSettings {
  baseUrl: string;
  timeoutMs: number;
  maxRetries: number;
  backoffMs: number;
  fetch: typeof fetch;
}

/** Reads a success. The deadline still runs; the reader releases it. */
type Reader<T> = (response: Response, deadline: Deadline) => Promise<T>;

/** Sends requests, and repeats those that may succeed and do no harm. */
export class Transport {
  readonly #settings: TransportSettings;
  readonly #apiKey: string;

  constructor(settings: TransportSettings, apiKey: string) {
    this.#settings = settings;
    this.#apiKey = apiKey;
  }

  /** @returns the parsed body of the answer. */
  json<Id extends OperationId>(id: Id, input: Input<Id>, options?: KeyedOptions): Promise<Answer<Id>> {
    return this.#repeat(id, input, options, async (response, deadline) => {
      const text = await response.text();
      deadline.release();
      return (text === '' ? undefined : parsed(text)) as Answer<Id>;
    });
  }

  /** The bytes of the answer, as they arrive. The request is sent when the first one is wanted. */
  async *bytes<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options?: KeyedOptions,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const opened: Reader<[Response, Deadline]> = (...answer) => Promise.resolve(answer);
    const [response, deadline] = await this.#repeat(id, input, options, opened);
    try {
      yield* bytesOf(response, deadline);
    } catch (error) {
      throw failureOf(error, deadline, options?.signal);
    } finally {
      deadline.release();
    }
  }

  async #repeat<Id extends OperationId, T>(
    id: Id,
    input: Input<Id>,
    options: KeyedOptions = {},
    read: Reader<T>,
  ): Promise<T> {
    const { signal, maxRetries = this.#settings.maxRetries } = options;
    const { timeoutMs = this.#settings.timeoutMs } = options;
    const { baseUrl, backoffMs } = this.#settings;
    const request = prepare(id, input, options, { baseUrl, apiKey: this.#apiKey });
    const { content, idempotencyKey, isRepeatable } = request;
    let isAnswerOpen = false;
    for (let before = 0; ; before += 1) {
      const deadline = new Deadline(signal, timeoutMs);
      try {
        return await this.#attempt(request, deadline, read);
      } catch (caught) {
        deadline.release();
        content?.close();
        if (content?.failure !== undefined) throw content.failure;
        const error = failureOf(caught, deadline, signal);
        if (error instanceof OutdialError && idempotencyKey !== undefined)
          error.idempotencyKey = idempotencyKey;
        isAnswerOpen ||= error instanceof ConnectionError;
        const isLast = before >= maxRetries || content?.isSpent === true;
        const ms = isLast ? null : pauseAfter(error, { before, isRepeatable, isAnswerOpen, backoffMs });
        if (ms === null) throw error;
        await pause(ms, signal);
      }
    }
  }

  async #attempt<T>(
    { url, method, headers, content }: PreparedRequest,
    deadline: Deadline,
    read: Reader<T>,
  ): Promise<T> {
    // Not as a method: the `fetch` of some runtimes looks at its `this`.
    const { fetch } = this.#settings;
    deadline.start();
    const body = content?.open() ?? null;
    const init: RequestInit = { method, headers, body, signal: deadline.signal };
    const response = await fetch(url, { ...init, ...modeOf(body) });
    if (!response.ok) throw apiErrorOf(response, await response.text());
    return await read(response, deadline);
  }
}

/** A redirect is none of the API: following it would make a GET of a POST. */
function modeOf(body: Sent | null): RequestInit {
  if (!(body instanceof ReadableStream)) return { redirect: 'manual' };
  // In any other mode, Node's `fetch` keeps what was sent in memory. Its types do not know `duplex`.
  const streamed: RequestInit & { duplex: 'half' } = { redirect: 'error', duplex: 'half' };
  return streamed;
}

/** What the caller gets to see of an error. */
function failureOf(error: unknown, deadline: Deadline, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof OutdialError) return error;
  if (deadline.isOver) return new TimeoutError('The API did not answer in time', { cause: error });
  return new ConnectionError('The connection to the API failed', { cause: error });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OutdialError('The answer is not JSON: it is none of the API', { cause });
  }
}
