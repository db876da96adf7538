import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Envelope, eventRecordOf } from './event-reader.js';
import { type Random } from './random.js';
import { type EndpointRecord, type WebhookRequestRecord } from './webhook-history.js';

/** Longer than Outdial waits for an answer, in milliseconds. */
const TOO_SLOW_MS = 17_000;

type Conduct = 'take' | 'refuse' | 'put off' | 'cut' | 'slow' | 'hang';

/** Of a hundred requests to a failing endpoint so many fail so; the others are taken. */
const FAILURES: readonly (readonly [Conduct, number])[] = [
  ['refuse', 12],
  ['put off', 2],
  ['cut', 6],
  ['slow', 1],
];

const REFUSALS = [500, 502, 400, 301] as const;

/** An endpoint with the secret that signs its requests. */
interface ServedEndpoint {
  endpoint: EndpointRecord;
  secret: string;
}

/** Receives the webhooks of all teams, each endpoint on a path of its own, and remembers every request. */
export class WebhookReceiver {
  /** In the order of their arrival. */
  readonly requests: WebhookRequestRecord[] = [];
  private readonly endpoints = new Map<string, ServedEndpoint>();
  private isHealed = false;
  private readonly server = createServer((request, response) => this.read(request, response));

  constructor(private readonly random: Random) {}

  /** @returns its URL. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** @param path of the endpoint's URL. */
  serve(path: string, served: ServedEndpoint): void {
    this.endpoints.set(path, served);
  }

  /** From now on failing endpoints take every event. Hanging ones go on hanging. */
  heal(): void {
    this.isHealed = true;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private read(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A sender that was killed.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('end', () => this.receive(request, Buffer.concat(chunks).toString(), response));
  }

  private receive({ url, headers }: IncomingMessage, body: string, response: ServerResponse): void {
    const served = this.endpoints.get(url ?? '');
    if (served === undefined) {
      response.writeHead(404).end();
      return;
    }
    const { endpoint, secret } = served;
    const conduct = this.conductOf(endpoint);
    const event = eventRecordOf(JSON.parse(body) as Envelope);
    const isSigned = headers['webhook-id'] === event.id && isSignedBy(secret, headers, body);
    this.requests.push({ endpoint, event, isTaken: conduct === 'take', isSigned });
    this.answer(response, conduct);
  }

  private conductOf({ kind }: EndpointRecord): Conduct {
    if (kind === 'hanging') return 'hang';
    if (kind === 'healthy' || this.isHealed) return 'take';
    let draw = this.random.between(1, 100);
    return FAILURES.find(([, percent]) => (draw -= percent) <= 0)?.[0] ?? 'take';
  }

  private answer(response: ServerResponse, conduct: Conduct): void {
    switch (conduct) {
      case 'take':
        response.writeHead(204).end();
        return;
      case 'refuse':
        response.writeHead(this.random.pick(REFUSALS), { location: '/' }).end('no');
        return;
      case 'put off':
        response.writeHead(503, { 'retry-after': '1' }).end();
        return;
      case 'cut':
        response.destroy();
        return;
      case 'slow':
        setTimeout(() => response.writeHead(204).end(), TOO_SLOW_MS).unref();
        return;
      case 'hang':
    }
  }
}

/**
 * Written only from the text of Standard Webhooks. The time is not compared: the clocks of some workers are set
 * wrong.
 */
function isSignedBy(secret: string, headers: IncomingMessage['headers'], body: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.');
  const expected = createHmac('sha256', key).update(signed).digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${expected}`);
}
