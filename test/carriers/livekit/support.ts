import { LiveKitCarrier } from '../../../src/carriers/livekit/livekit.carrier.js';
import { type LiveKitOptions } from '../../../src/carriers/livekit/livekit-options.js';
import { API_KEY, API_SECRET, type Fault, TRUNK } from '../../../tools/fake-carriers/fake-livekit.js';

/** A carrier with all that it needs to dial there. */
export function carrierAt(url: string, options: Partial<LiveKitOptions> = {}): LiveKitCarrier {
  return new LiveKitCarrier({
    url,
    apiKey: API_KEY,
    apiSecret: API_SECRET,
    sipTrunkId: TRUNK,
    agentName: 'caller',
    callsPerSecond: null,
    maxCallSeconds: 3_600,
    timeoutMs: 10_000,
    ...options,
  });
}

/** An answer of LiveKit, or of a proxy in between. */
export function answers(
  status: number,
  body: string | object = '',
  headers: Record<string, string> = {},
): Fault {
  return (response) => {
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** A Twirp error. */
export function twirp(status: number, code: string, meta?: object): Fault {
  return answers(status, { code, msg: 'about +14155550100', meta });
}
