import { Webhook } from 'standardwebhooks';

/** Headers of a request, as Node has them. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * Signs and verifies by Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 over id, time and
 * body. While secrets are being changed there are several; all of them sign, and any of them is taken.
 */
export class Signature {
  private readonly webhooks: readonly Webhook[];

  /** @param secrets `whsec_…`, with commas between several. @throws for what is none. */
  constructor(secrets: string) {
    this.webhooks = secrets.split(',').map((secret) => new Webhook(secret));
  }

  /** The headers that go with a body. */
  headersFor(id: string, body: string, now: Date = new Date()): Record<(typeof HEADERS)[number], string> {
    return {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': this.webhooks.map((webhook) => webhook.sign(id, now, body)).join(' '),
    };
  }

  /** Whether a request has the headers of a signature at all. */
  static isIn(headers: Headers): boolean {
    return HEADERS.every((name) => typeof headers[name] === 'string');
  }

  /**
   * Whether the body is as it was signed, no more than five minutes ago or ahead. Compares in constant time.
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
