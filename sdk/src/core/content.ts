/** What `fetch` takes as a body. */
export type Sent = NonNullable<RequestInit['body']>;

/** What a request sends. */
export interface Content {
  headers: Record<string, string>;
  /** Begins to send it. */
  open(): Sent;
  /** Ends the sending after an error; runtimes may go on reading a source otherwise. */
  close(): void;
  /** Whether it was opened and cannot be again. */
  readonly isSpent: boolean;
  /** Why its source failed; undefined as long as it has not. */
  readonly failure: Error | undefined;
}

export function jsonContent(value: unknown): Content {
  const text = JSON.stringify(value);
  return {
    headers: { 'content-type': 'application/json' },
    open: () => text,
    close: () => undefined,
    isSpent: false,
    failure: undefined,
  };
}
