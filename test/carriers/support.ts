import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CarrierEvent, type FindCallQuery, type PlaceCallRequest } from '../../src/carriers/carrier.js';
import { type DialRecord } from '../../src/carriers/simulator/dial-log.js';

/**
 * Timings for tests: all but `late` has ended within some thirty milliseconds, or later on a busy machine.
 */
export const FAST = { acceptMs: 5, ringMs: 5, talkMs: 5, lateMs: 500, jitter: 0, timeoutMs: 20_000 } as const;

/** Of the HTTP carrier. */
export const HTTP_SECRET = `whsec_${Buffer.alloc(32, 'of the tests').toString('base64')}`;

export function callRequestId(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

export function aDial(to = '+14155550100', n = 1): PlaceCallRequest {
  return {
    callRequestId: callRequestId(n),
    teamId: callRequestId(901),
    agentId: callRequestId(902),
    to,
    from: '+14155550199',
    prompt: 'You are polite.',
    firstMessage: 'Hello',
    variables: {},
    generation: 0,
    carrierSettings: {},
  };
}

/** The look-up of `aDial`. */
export function aQuery(to = '+14155550100', n = 1): FindCallQuery {
  return {
    callRequestId: callRequestId(n),
    to,
    from: '+14155550199',
    claimedAt: new Date(),
    carrierCallId: null,
    carrierSettings: {},
  };
}

/** Collects events, and lets a test await the next ones instead of sleeping. */
export class EventCollector {
  readonly events: CarrierEvent[] = [];
  private waiting: { count: number; resolve: (events: CarrierEvent[]) => void }[] = [];

  readonly listen = (event: CarrierEvent): Promise<void> => {
    this.events.push(event);
    this.waiting = this.waiting.filter(({ count, resolve }) => {
      if (this.events.length < count) return true;
      resolve(this.events.slice(0, count));
      return false;
    });
    return Promise.resolve();
  };

  first(count: number): Promise<CarrierEvent[]> {
    if (this.events.length >= count) return Promise.resolve(this.events.slice(0, count));
    return new Promise((resolve) => this.waiting.push({ count, resolve }));
  }

  statuses(): string[] {
    return this.events.map(({ status }) => status);
  }
}

export function temporaryDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'outdial-carriers-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export function readDialLog(path: string): DialRecord[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as DialRecord);
}

/** A bare TCP server that counts what arrives; `respond` is called once a request's head is complete. */
export async function countingServer(respond: (socket: Socket) => void) {
  const seen = { connections: 0, requests: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    seen.connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
      const heads = text.split('\r\n\r\n').length - 1;
      if (heads > 0) {
        text = '';
        seen.requests += 1;
        respond(socket);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    seen,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
