import { type Content, type Sent } from './content.js';
import { PulledStream } from './streams.js';

/** What `node:fs/promises` opens. It is read from its beginning and stays open. */
interface OpenFile {
  createReadStream(options: { start: number; autoClose: boolean }): AsyncIterable<string | Uint8Array>;
}

type Parts = AsyncIterable<string | Uint8Array>;

/** A file that can be sent again, or one that is read once: a stream, such as Node's, or a generator. */
export type UploadSource = string | Uint8Array | Blob | OpenFile | ReadableStream<Uint8Array> | Parts;

/** A file in pieces, never whole in memory. */
export class Upload implements Content {
  #isSpent = false;
  #pulled: PulledStream | undefined;

  /** @param source or a function that opens it, so that it can be sent again. */
  constructor(
    private readonly source: UploadSource | (() => UploadSource),
    readonly headers: Record<string, string>,
  ) {}

  get isSpent(): boolean {
    return this.#isSpent;
  }

  get failure(): Error | undefined {
    return this.#pulled?.failure;
  }

  open(): Sent {
    const { source } = this;
    if (typeof source === 'function') return this.#bodyOf(source());
    this.#isSpent = isReadOnce(source);
    return this.#bodyOf(source);
  }

  close(): void {
    this.#pulled?.stop();
  }

  #bodyOf(source: UploadSource): Sent {
    if (isWhole(source)) return source as Sent;
    const parts =
      'createReadStream' in source ? source.createReadStream({ start: 0, autoClose: false }) : source;
    // A stream of a runtime that does not iterate streams.
    if (!(Symbol.asyncIterator in parts)) return parts;
    this.#pulled = new PulledStream(parts);
    return this.#pulled.stream;
  }
}

function isWhole(source: UploadSource): source is string | Uint8Array | Blob {
  return typeof source === 'string' || source instanceof Blob || source instanceof Uint8Array;
}

function isReadOnce(source: UploadSource): boolean {
  return !isWhole(source) && !('createReadStream' in source);
}
