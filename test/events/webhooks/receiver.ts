import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { type Envelope } from '../../../src/events/webhooks/delivery/envelope.js';

/** A request that a receiver got. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  event: Envelope;
}

export type Behavior = (received: Received, response: ServerResponse) => void;

const takes: Behavior = (_, response) => response.writeHead(204).end();

/** A receiver of webhooks on this host. It accepts every event by default. */
export class Receiver {
  readonly received: Received[] = [];
  private behavior: Behavior = takes;
  private connections = 0;
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { url: path = '', headers } = request;
      const received = { path, headers, body, event: JSON.parse(body) as Envelope };
      this.received.push(received);
      this.behavior(received, response);
    });
  });

  async listen(): Promise<string> {
    this.server.on('connection', () => (this.connections += 1));
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this.url;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Connections that were opened to it. */
  get opened(): number {
    return this.connections;
  }

  /** How it behaves from now on. Without an argument it takes every event. */
  behave(behavior: Behavior = takes): void {
    this.behavior = behavior;
  }

  /** The requests to a path. */
  at(path: string): Received[] {
    return this.received.filter((one) => one.path === path);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}

/** Answers with a status, and what else is given. */
export function answering(status: number, headers: Record<string, string> = {}, body = ''): Behavior {
  return (_, response) => response.writeHead(status, headers).end(body);
}

/** Verifies with the library of Standard Webhooks. @throws when the signature is wrong. */
export function verify(secret: string, { body, headers }: Pick<Received, 'body' | 'headers'>): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

/**
 * A second implementation, after the specification's text alone: whether one of the signatures is by the
 * secret.
 */
export function isSignedBy(secret: string, { body, headers }: Pick<Received, 'body' | 'headers'>): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.');
  const expected = createHmac('sha256', key).update(signed, 'utf8').digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${expected}`);
}
