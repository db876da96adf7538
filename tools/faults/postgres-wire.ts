/** What a client of Postgres sends that faults are timed by. */
export type FrontendEvent =
  /** A prepared statement is about to run; `first` is its first parameter as text. */
  { kind: 'statement'; name: string; first: string | null } | { kind: 'commit' };

/**
 * Splits a stream into the messages of Postgres' protocol; the bytes after the last whole message wait for
 * more.
 */
class MessageSplitter {
  private rest: Buffer = Buffer.alloc(0);

  /** @param untyped whether the first message has no type, as a client's startup message. */
  constructor(private untyped: boolean) {}

  *messages(chunk: Buffer): Generator<{ type: string; body: Buffer }> {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    for (;;) {
      const head = this.untyped ? 0 : 1;
      if (this.rest.length < head + 4) return;
      const end = head + this.rest.readInt32BE(head);
      if (this.rest.length < end) return;
      const type = this.untyped ? '' : String.fromCharCode(this.rest[0] ?? 0);
      const body = this.rest.subarray(head + 4, end);
      this.rest = this.rest.subarray(end);
      this.untyped = false;
      yield { type, body };
    }
  }
}

function textAt(body: Buffer, start: number): string {
  return body.toString('utf8', start, body.indexOf(0, start));
}

/** Reads what a client sends. */
export class FrontendReader {
  private readonly splitter = new MessageSplitter(true);

  *read(chunk: Buffer): Generator<FrontendEvent> {
    for (const { type, body } of this.splitter.messages(chunk)) {
      if (type === 'Q' && textAt(body, 0) === 'COMMIT') yield { kind: 'commit' };
      if (type === 'B') yield bindEvent(body);
    }
  }
}

/** Bind: portal, statement, formats of parameters, parameters. */
function bindEvent(body: Buffer): FrontendEvent {
  const nameAt = body.indexOf(0) + 1;
  const name = textAt(body, nameAt);
  let at = nameAt + Buffer.byteLength(name) + 1;
  at += 2 + 2 * body.readInt16BE(at);
  const count = body.readInt16BE(at);
  const length = count > 0 ? body.readInt32BE(at + 2) : -1;
  return {
    kind: 'statement',
    name,
    first: length < 0 ? null : body.toString('utf8', at + 6, at + 6 + length),
  };
}

/** Reads what the server answers: the tags of completed commands, such as `COMMIT` or `SELECT 1`. */
export class BackendReader {
  private readonly splitter = new MessageSplitter(false);

  *completed(chunk: Buffer): Generator<string> {
    for (const { type, body } of this.splitter.messages(chunk)) {
      if (type === 'C') yield textAt(body, 0);
    }
  }
}
