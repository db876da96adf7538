import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** What a closed loop of connections got done. */
export interface LoadResult {
  requests: number;
  seconds: number;
  /** Milliseconds, sorted. */
  latencies: number[];
  /** By status. */
  statuses: Record<number, number>;
}

/** One request, as bytes for the wire; null when there is none left. */
export type NextRequest = () => Buffer | null;

/** @param headers besides those that every request has. */
export function postRequest(
  url: string,
  path: string,
  apiKey: string,
  body: object,
  headers: Record<string, string> = {},
): Buffer {
  const text = JSON.stringify(body);
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${apiKey}\r\n` +
      `${more.join('')}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

/**
 * Each connection asks again as soon as it has its answer, or `thinkMs` later, until the time is over. Bare
 * sockets: the load shares the machine with what it measures, and `node:http` as a client costs as much as
 * the server.
 */
export async function load(
  url: string,
  connections: number,
  seconds: number,
  next: NextRequest,
  thinkMs = 0,
): Promise<LoadResult> {
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  const started = performance.now();
  const deadline = started + seconds * 1_000;
  await Promise.all(
    Array.from({ length: connections }, () =>
      converse(
        url,
        () => (performance.now() < deadline ? next() : null),
        (status, ms) => {
          statuses[status] = (statuses[status] ?? 0) + 1;
          latencies.push(ms);
        },
        thinkMs,
      ),
    ),
  );
  const took = (performance.now() - started) / 1_000;
  return { requests: latencies.length, seconds: took, latencies: latencies.sort((a, b) => a - b), statuses };
}

export function percentile(sorted: number[], fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? NaN;
}

function converse(
  url: string,
  next: () => Buffer | null,
  answered: (status: number, ms: number) => void,
  thinkMs: number,
): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = '';
    let asked = 0;
    const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const ask = () => {
      const request = next();
      if (request === null) return void socket.end();
      asked = performance.now();
      socket.write(request);
    };
    socket.setEncoding('latin1');
    socket.on('connect', ask);
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('data', (chunk: string) => {
      text += chunk;
      const head = text.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = /^content-length: *(\d+)/im.exec(text.slice(0, head))?.[1];
      if (length === undefined) return void socket.destroy(new Error('an answer without a length'));
      if (text.length < head + 4 + Number(length)) return;
      answered(Number(text.slice(9, 12)), performance.now() - asked);
      text = '';
      if (thinkMs === 0) ask();
      else setTimeout(ask, thinkMs);
    });
  });
}
