import { type MomentHandler, Moments } from './moments.js';
import { TcpProxy } from './tcp-proxy.js';

/** Moments of a dial: before its request reaches the carrier, and before the answer reaches the worker. */
export type CarrierMoment = 'dial sent' | 'dial answered';

const DIAL = /^POST \/(?:dial|v1\/calls)[^]*"callRequestId":"([0-9a-f-]{36})"/;

/** A proxy before the carrier that knows when a dial passes. */
export class CarrierProxy extends TcpProxy {
  private readonly moments = new Moments<CarrierMoment>();

  constructor(targetPort: () => number) {
    super(targetPort, (link) => {
      let request = '';
      let id: string | undefined;
      return {
        toServer: async (chunk) => {
          if (id !== undefined) return;
          request += chunk.toString('latin1');
          id = DIAL.exec(request)?.[1];
          if (id !== undefined) await this.moments.reached('dial sent', id, link);
        },
        toClient: async () => {
          if (id !== undefined) await this.moments.reached('dial answered', id, link);
        },
      };
    });
  }

  /** @see Moments.atNext */
  atNext(moment: CarrierMoment, handler: MomentHandler, withinMs?: number): Promise<string> {
    return this.moments.atNext(moment, handler, withinMs);
  }
}
