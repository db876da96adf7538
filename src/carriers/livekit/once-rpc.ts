import { jsonIn } from '../answer-json.js';
import { sendOnce } from '../send-once.js';
import { isNetworkBlock } from '../sip-603-plus.js';
import { retryAfterMs } from '../../http/retry-after.js';

/** Why a request to LiveKit failed. `answered`: LiveKit, or a proxy in between, answered with an error. */
export type FailureKind =
  | { kind: 'not_sent' | 'unreachable'; reason: string }
  | { kind: 'broken'; reason: string }
  | {
      kind: 'answered';
      status: number;
      twirp: string | null;
      sip: number | null;
      /** Whether the SIP answer is a 603+, by {@link isNetworkBlock}. */
      networkBlocked: boolean;
      retryAfterMs: number;
    };

/** A request to LiveKit that failed. The error does not contain the message of LiveKit's answer. */
export class LiveKitFailure extends Error {
  override name = 'LiveKitFailure';

  constructor(readonly failure: FailureKind) {
    super(`LiveKit: ${failure.kind}`);
  }
}

/**
 * The transport of the SDK's clients, which sends each request at most once. The SDK's own transport is
 * `fetch`, which cannot be aborted here. `fetch` silently follows redirects with the same body and sends
 * again after a 421, so a call could be placed twice.
 *
 * @see SDK, `TwirpRPC.ts`: the interface `Rpc`, and how it handles a Twirp error.
 */
export class OnceRpc {
  private readonly base: URL;

  /**
   * @param limitsMs the longest duration of a request, by its method; the deadline may be earlier.
   * @param deadline of all requests, by `performance.now()`.
   */
  constructor(
    url: string,
    private readonly signal: AbortSignal,
    private readonly deadline: number,
    private readonly limitsMs: Readonly<Record<string, number>> = {},
  ) {
    this.base = new URL(url.replace(/^ws/, 'http'));
  }

  /** @throws LiveKitFailure unless LiveKit answered 200 with JSON. */
  async request(
    service: string,
    method: string,
    data: unknown,
    headers: Record<string, string>,
  ): Promise<unknown> {
    const leftMs = Math.min(this.limitsMs[method] ?? Infinity, this.deadline - performance.now());
    if (leftMs <= 0) throw new LiveKitFailure({ kind: 'unreachable', reason: 'carrier_timeout' });
    const answer = await sendOnce({
      method: 'POST',
      url: new URL(`/twirp/livekit.${service}/${method}`, this.base),
      body: JSON.stringify(data),
      headers,
      signal: AbortSignal.any([this.signal, AbortSignal.timeout(Math.ceil(leftMs))]),
      sendWithinMs: leftMs,
    });
    if (answer.kind !== 'answer') throw new LiveKitFailure(answer);
    const body = jsonIn(answer.body);
    if (answer.status !== 200) {
      throw new LiveKitFailure({
        kind: 'answered',
        status: answer.status,
        ...twirpError(body),
        retryAfterMs: retryAfterMs(answer.headers['retry-after']),
      });
    }
    if (body === undefined) throw new LiveKitFailure({ kind: 'broken', reason: 'carrier_broken_answer' });
    return body;
  }
}

/** A Twirp error is `{code, msg, meta}`; `meta` contains the SIP status of a failed call and its text. */
function twirpError(body: unknown): { twirp: string | null; sip: number | null; networkBlocked: boolean } {
  const { code, msg, meta } = fieldsOf(body);
  const details = fieldsOf(meta);
  const sip = Number(details.sip_status_code);
  const said = [msg, ...Object.values(details)].filter((text) => typeof text === 'string');
  return {
    twirp: typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : null,
    sip: Number.isInteger(sip) && sip >= 300 && sip <= 699 ? sip : null,
    networkBlocked: said.some(isNetworkBlock),
  };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
