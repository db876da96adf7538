import { connect, type Socket } from 'node:net';
import { type Answers, count, nameOf } from '../bench/answers.js';

/** Of an answer so much is looked at. */
const BODY_START = 4_096;
const RECONNECT_MS = 20;

export interface FloodOptions {
  url: string;
  connections: number;
  /** `performance.now()` at which nothing more is asked. */
  until: number;
  /** One request as bytes for the wire; null when there is none left. */
  next: () => Buffer | null;
  /** Milliseconds between an answer and the connection's next request. */
  gapMs?: number;
  /** Whether the first requests are spread over the gap instead of sent at once. */
  spread?: boolean;
  /** The client's address; on Linux any of 127.0.0.0/8. */
  from?: string;
}

/**
 * Keeps so many requests in flight. Unlike `load` in the benchmark it takes every answer and every closed
 * connection as a result, and connects again.
 */
export async function flood(options: FloodOptions, answers: Answers = {}): Promise<Answers> {
  await Promise.all(Array.from({ length: options.connections }, () => persist(options, answers)));
  return answers;
}

async function persist(options: FloodOptions, answers: Answers): Promise<void> {
  while (performance.now() < options.until) {
    if (await converse(options, answers)) return;
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
  }
}

/** One connection to its end; resolves to whether there is nothing left to ask. */
function converse(options: FloodOptions, answers: Answers): Promise<boolean> {
  const { url, until, next, gapMs = 0, spread = false, from } = options;
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let waiting = false;
    let finished = false;
    const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true, localAddress: from });
    const read = answerReader((answer, isLast) => {
      waiting = false;
      count(answers, answer);
      if (isLast) socket.destroy();
      else if (gapMs === 0) ask();
      else setTimeout(ask, gapMs);
    });
    const ask = () => {
      if (socket.destroyed) return;
      const request = performance.now() < until ? next() : null;
      if (request === null) {
        finished = true;
        socket.destroy();
        return;
      }
      waiting = true;
      socket.write(request);
    };
    // The server may take its time after the end, but no longer than any limit of its own.
    const giveUp = setTimeout(() => socket.destroy(), until - performance.now() + 10_000);
    socket.on('connect', () => (spread ? setTimeout(ask, Math.random() * gapMs) : ask()));
    socket.on('data', read);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(giveUp);
      if (waiting) count(answers, 'none');
      resolve(finished);
    });
  });
}

/**
 * Calls back for each whole answer in a stream of chunks; the bodies themselves are not kept. `isLast`: the
 * server closes the connection after it.
 */
export function answerReader(answered: (answer: string, isLast: boolean) => void): (chunk: Buffer) => void {
  let start = Buffer.alloc(0);
  let received = 0;
  return (chunk) => {
    received += chunk.length;
    if (start.length < BODY_START) start = Buffer.concat([start, chunk]);
    const head = start.indexOf('\r\n\r\n');
    if (head < 0) return;
    const text = start.toString('latin1');
    const length = Number(/^content-length: *(\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
    if (received < head + 4 + length) return;
    const isLast = /^connection: *close/im.test(text.slice(0, head));
    const answer = nameOf(Number(text.slice(9, 12)), text.slice(head + 4));
    start = Buffer.alloc(0);
    received = 0;
    answered(answer, isLast);
  };
}
