import { sendOnce, type SendOnceRequest, type SendOnceResult } from './send-once.js';

/** A carrier's requests under way, so that closing it ends them. */
export class OpenRequests {
  // One for each request: a signal that outlives them all would keep every one of them.
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
