import { type Link, TcpProxy } from './tcp-proxy.js';

/** Moments of a dial: before its request reaches the carrier, and before the answer reaches the worker. */
export type CarrierMoment = 'sent' | 'answered';

type Handler = (callRequestId: string, link: Link) => void | Promise<void>;

const DIAL = /^POST \/dial[^]*"callRequestId":"([0-9a-f-]{36})"/;

/** A proxy before the carrier that knows when a dial passes. */
export class CarrierProxy extends TcpProxy {
  private readonly armed = new Map<CarrierMoment, Handler>();

  constructor(targetPort: () => number) {
    super(targetPort, (link) => {
      let request = '';
      let id: string | undefined;
      return {
        toServer: async (chunk) => {
          if (id !== undefined) return;
          request += chunk.toString('latin1');
          id = DIAL.exec(request)?.[1];
          if (id !== undefined) await this.armed.get('sent')?.(id, link);
        },
        toClient: async () => {
          if (id !== undefined) await this.armed.get('answered')?.(id, link);
        },
      };
    });
  }

  /** Resolves to the call's id once `handler` ran at the next such moment; rejects if none comes in time. */
  atNext(moment: CarrierMoment, handler: Handler, withinMs = 15_000): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.armed.delete(moment);
        reject(new Error(`no dial was ${moment} within ${withinMs} ms`));
      }, withinMs);
      this.armed.set(moment, async (id, link) => {
        clearTimeout(timer);
        this.armed.delete(moment);
        await handler(id, link);
        resolve(id);
      });
    });
  }
}
