import { sendOnce, type SendOnceRequest, type SendOnceResult } from './send-once.js';

/** A carrier's requests under way, which `close` aborts. */
export class OpenRequests {
  // Each request has its own controller: a signal that outlives the requests would keep all of them in
  // memory.
  private readonly open = new Set<AbortController>();

  /** @see sendOnce */
  async send(request: SendOnceRequest): Promise<SendOnceResult> {
    const closing = new AbortController();
    this.open.add(closing);
    try {
      return await sendOnce({ ...request, signal: AbortSignal.any([request.signal, closing.signal]) });
    } finally {
      this.open.delete(closing);
    }
  }

  close(): void {
    for (const controller of this.open) controller.abort();
  }
}
