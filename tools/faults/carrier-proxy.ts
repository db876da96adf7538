import { type MomentHandler, Moments } from './moments.js';
import { TcpProxy } from './tcp-proxy.js';

/** Moments of a dial: before its request reaches the carrier, and before the answer reaches the worker. */
export type CarrierMoment = 'dial sent' | 'dial answered';

/** A dial by each carrier's protocol, and where the call request's id stands in it. */
const DIALS = [
  /^POST \/(?:dial|v1\/calls)[^]*"callRequestId":"([0-9a-f-]{36})"/,
  /^POST \/2010-04-01\/Accounts\/\w+\/Calls\.json[^]*[&\n]StatusCallback=[^&]*%2Fstatus%2F([0-9a-f-]{36})/,
  /^POST \/twirp\/livekit\.SIP\/CreateSIPParticipant[^]*"roomName":"call-([0-9a-f-]{36})-\d/,
  /^POST \/v2\/create-phone-call[^]*"outdial_call_request_id":"([0-9a-f-]{36})"/,
  /^POST \/call [^]*"call_request_id":"([0-9a-f-]{36})"/,
  /^POST \/v1\/convai\/[a-z-]+\/outbound-call[^]*"user_id":"([0-9a-f-]{36})"/,
];

/** Of the call that a request dials; undefined as long as that cannot be told. */
export function dialedBy(request: string): string | undefined {
  for (const dial of DIALS) {
    const id = dial.exec(request)?.[1];
    if (id !== undefined) return id;
  }
  return undefined;
}

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
          id = dialedBy(request);
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
