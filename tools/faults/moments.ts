import { type Link } from './tcp-proxy.js';

/** Runs when its moment has come; what passes waits until it is done. */
export type MomentHandler = (callRequestId: string, link: Link) => void | Promise<void>;

/** The waiters for a moment in what a proxy carries; each is served once, in the order of waiting. */
export class Moments<Moment extends string> {
  private readonly waiting = new Map<Moment, MomentHandler[]>();

  /** Resolves to the call's id once `handler` ran at the next such moment; rejects if none comes in time. */
  atNext(moment: Moment, handler: MomentHandler, withinMs = 15_000): Promise<string> {
    return new Promise((resolve, reject) => {
      const waiting = this.waiting.get(moment) ?? [];
      this.waiting.set(moment, waiting);
      const served: MomentHandler = async (id, link) => {
        clearTimeout(timer);
        try {
          await handler(id, link);
          resolve(id);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(served), 1);
        reject(new Error(`no "${moment}" within ${withinMs} ms`));
      }, withinMs);
      waiting.push(served);
    });
  }

  isAwaited(moment: Moment): boolean {
    return (this.waiting.get(moment)?.length ?? 0) > 0;
  }

  async reached(moment: Moment, callRequestId: string, link: Link): Promise<void> {
    await this.waiting.get(moment)?.shift()?.(callRequestId, link);
  }
}
