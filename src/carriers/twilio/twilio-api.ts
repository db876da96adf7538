import type { RequestClient, Twilio } from 'twilio';
import { retryAfterMs } from '../../http/retry-after.js';
import { SingleRequestClient } from './single-request-client.js';
import { type TwilioOptions } from './twilio-options.js';

/** The result of one request to Twilio. */
export type TwilioAnswer<T> =
  | { kind: 'ok'; value: T }
  /** `code` is Twilio's own; null if the answer is not in Twilio's format. */
  | { kind: 'error'; status: number; code: number | null; retryAfterMs: number }
  | { kind: 'not_sent' | 'unreachable' | 'broken'; reason: string };

/** Twilio's API through its SDK. Each `ask` sends at most one request, and repeats none. */
export class TwilioApi {
  readonly timeoutMs: number;
  private readonly open = new Set<AbortController>();

  constructor(private readonly options: TwilioOptions) {
    this.timeoutMs = options.timeoutMs;
  }

  /** Loads the SDK, so that the first request does not wait for it. Sends no request. */
  async warmUp(): Promise<void> {
    const { default: sdk } = await loadSdk();
    void sdk(this.options.accountSid, this.options.authToken).calls;
  }

  /**
   * @param use makes exactly one request with the client.
   * @param as the credentials: `key` uses the API key if there is one, and `account` always uses the
   *   account's own token.
   */
  async ask<T>(
    signal: AbortSignal,
    use: (client: Twilio) => Promise<T>,
    as: 'key' | 'account' = 'key',
  ): Promise<TwilioAnswer<T>> {
    const closing = new AbortController();
    this.open.add(closing);
    try {
      const http = new SingleRequestClient({
        apiUrl: this.options.apiUrl,
        signal: AbortSignal.any([signal, closing.signal]),
        timeoutMs: this.timeoutMs,
      });
      const client = await this.clientWith(http, as);
      const value = await use(client).catch(() => undefined);
      return answerOf(http, value);
    } finally {
      this.open.delete(closing);
    }
  }

  close(): void {
    for (const controller of this.open) controller.abort();
  }

  private async clientWith(http: SingleRequestClient, as: 'key' | 'account'): Promise<Twilio> {
    const { default: sdk } = await loadSdk();
    const { accountSid, authToken } = this.options;
    const apiKey = as === 'key' ? this.options.apiKey : undefined;
    return sdk(apiKey?.sid ?? accountSid, apiKey?.secret ?? authToken, {
      accountSid,
      httpClient: http as unknown as RequestClient,
      autoRetry: false,
    });
  }
}

/**
 * Loads the SDK on first use. Loading takes 130 ms and 20 MB, which a deployment without Twilio does not
 * need.
 */
function loadSdk() {
  return import('twilio');
}

function answerOf<T>({ exchange }: SingleRequestClient, value: T | undefined): TwilioAnswer<T> {
  // The SDK refused the request, so nothing was sent.
  if (exchange === null) return { kind: 'not_sent', reason: 'carrier_request_invalid' };
  if (exchange.kind !== 'answer') return exchange;
  const { status, headers, body } = exchange;
  if (status >= 200 && status < 300) {
    return value === undefined ? { kind: 'broken', reason: `carrier_http_${status}` } : { kind: 'ok', value };
  }
  const code = codeOf(body, status);
  return { kind: 'error', status, code, retryAfterMs: retryAfterMs(headers['retry-after']) };
}

/** Twilio repeats the status in its errors; a proxy in between does not. */
function codeOf(body: string, status: number): number | null {
  try {
    const said = JSON.parse(body) as { code?: unknown; status?: unknown } | null;
    return said?.status === status && Number.isSafeInteger(said.code) ? (said.code as number) : null;
  } catch {
    return null;
  }
}
