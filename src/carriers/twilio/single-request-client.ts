import type RequestClient from 'twilio/lib/base/RequestClient.js';
import { sendOnce, type SendOnceResult } from '../send-once.js';

/** A request as the SDK passes it to its HTTP client. */
type RequestOptions = RequestClient.RequestOptions<Record<string, unknown>, Record<string, unknown>>;

export interface SingleRequestOptions {
  /** Replaces the origin of the SDK's URL. */
  apiUrl: string;
  signal: AbortSignal;
  timeoutMs: number;
}

/**
 * An HTTP client for Twilio's SDK that sends at most one request, on a connection of its own. The SDK's own
 * client keeps connections alive, uses a proxy from the environment and can repeat a request after a 429.
 * `exchange` keeps the result of the request, however the SDK interprets it.
 */
export class SingleRequestClient {
  exchange: SendOnceResult | null = null;
  private used = false;

  constructor(private readonly options: SingleRequestOptions) {}

  /** @throws Error if there is no answer; `exchange` has the reason. */
  async request({ method, uri, username, password, headers, params, data }: RequestOptions) {
    if (this.used) throw new Error('this client sends one request');
    this.used = true;
    const { apiUrl, signal, timeoutMs } = this.options;
    const asked = new URL(uri);
    const url = new URL(asked.pathname, apiUrl);
    url.search = formEncoded(params ?? Object.fromEntries(asked.searchParams));
    this.exchange = await sendOnce({
      method: method === 'get' ? 'GET' : 'POST',
      url,
      ...(data !== undefined && { body: formEncoded(data) }),
      headers: {
        ...headers,
        Authorization: `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}`,
      },
      signal,
      sendWithinMs: timeoutMs,
    });
    if (this.exchange.kind !== 'answer') throw new Error(this.exchange.reason);
    const { status, body, headers: answered } = this.exchange;
    return { statusCode: status, body, headers: answered };
  }
}

/** `application/x-www-form-urlencoded`; a list repeats its key. */
function formEncoded(fields: Record<string, unknown>): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).map((one): [string, string] => [
      name,
      String(one),
    ]),
  );
  return new URLSearchParams(pairs).toString();
}
