import { Webhook } from 'standardwebhooks';

/** The headers of a request as Node provides them. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * Signs and verifies by Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 over id, time and
 * body. During a rotation there are several secrets: all of them sign, and any of them is accepted.
 */
export class Signature {
  private readonly webhooks: readonly Webhook[];

  /**
   * @param secrets `whsec_…`; several are separated by commas. @throws Error if one is empty or malformed.
   */
  constructor(secrets: string) {
    this.webhooks = secrets.split(',').map((secret) => new Webhook(secret));
  }

  /** The signature headers for a body. */
  headersFor(id: string, body: string, now: Date = new Date()): Record<(typeof HEADERS)[number], string> {
    return {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': this.webhooks.map((webhook) => webhook.sign(id, now, body)).join(' '),
    };
  }

  /** Whether a request has all headers of a signature. */
  static isIn(headers: Headers): boolean {
    return HEADERS.every((name) => typeof headers[name] === 'string');
  }

  /**
   * Whether the signature matches the body, and the signature's time is at most five minutes off. Compares in
   * constant time.
   */
  verifies(body: Buffer, headers: Headers): boolean {
    const sent = Object.fromEntries(HEADERS.map((name) => [name, headers[name] ?? '']));
    if (Object.values(sent).some((value) => typeof value !== 'string')) return false;
    return this.webhooks.some((webhook) => {
      try {
        webhook.verify(body, sent as Record<string, string>, { jsonParse: false });
        return true;
      } catch {
        return false;
      }
    });
  }
}
