import { type Deadline } from './deadline.js';

/**
 * The bytes of an answer; each part has the time of the deadline. A consumer that leaves ends the request.
 */
export async function* bytesOf(
  { body }: Response,
  deadline: Deadline,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      deadline.start();
      const { done, value } = await reader.read();
      deadline.stop();
      if (done) return;
      yield value;
    }
  } finally {
    // It rejects with the error that was thrown already.
    await reader.cancel().catch(() => undefined);
  }
}

/** The values of NDJSON: one on each line. */
export async function* valuesOf<Value>(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Value, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of bytes) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Value;
  }
  rest += decoder.decode();
  if (rest !== '') yield JSON.parse(rest) as Value;
}

/** A source as a stream, which asks for the next part when it is wanted. */
export class PulledStream {
  readonly stream: ReadableStream<Uint8Array>;
  /** What the source failed with. */
  failure: Error | undefined;
  readonly #iterator: AsyncIterator<string | Uint8Array>;
  #isStopped = false;

  constructor(source: AsyncIterable<string | Uint8Array>) {
    this.#iterator = source[Symbol.asyncIterator]();
    const encoder = new TextEncoder();
    this.stream = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await this.#next();
        if (done) controller.close();
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
      },
      cancel: () => this.stop(),
    });
  }

  /** Asks for nothing more, and lets the source end. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    // What a source says to its end is of no interest any more.
    this.#iterator.return?.().catch(() => undefined);
  }

  async #next(): Promise<IteratorResult<string | Uint8Array, unknown>> {
    if (this.#isStopped) return { done: true, value: undefined };
    try {
      return await this.#iterator.next();
    } catch (error) {
      this.failure = error as Error;
      throw error;
    }
  }
}
