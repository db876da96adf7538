import { Agent, request } from 'node:http';
import { percentile } from './load.js';
import { type Answers, count, nameOf } from './answers.js';

/**
 * Requests a second: enough that the 99th percentile of ten seconds rests on several of them, and little
 * enough to cost nothing.
 */
const RATE = 40;
const TIMEOUT_MS = 20_000;

/**
 * Connections that the client has open from the start, as the pool of an integrator's HTTP client has. A new
 * connection would measure the kernel's queue instead: it waits about 0.1 ms for each connection that was
 * opened before it.
 */
const KEPT_CONNECTIONS = 8;

/** One request of the unrelated team. */
export interface ProbeRequest {
  path: string;
  apiKey: string;
  body: object;
  idempotencyKey?: string;
}

export interface Probed {
  /** Milliseconds. */
  p50: number;
  p99: number;
  answers: Answers;
}

/**
 * Asks at a steady pace, whatever the answers take, until `goOn` says no. The time of an answer counts from
 * when its request was due: a server that keeps one waiting also keeps the next ones.
 */
export async function probe(
  url: string,
  next: () => ProbeRequest,
  goOn: () => boolean,
  rate = RATE,
): Promise<Probed> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const answers: Answers = {};
  const latencies: number[] = [];
  const asked: Promise<void>[] = [];
  await Promise.all(Array.from({ length: KEPT_CONNECTIONS }, () => ask(url, agent, next())));
  const started = performance.now();
  for (let n = 0; goOn(); n += 1) {
    const due = started + (n * 1_000) / rate;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    const one = ask(url, agent, next()).then((answer) => {
      latencies.push(performance.now() - due);
      count(answers, answer);
    });
    asked.push(one);
  }
  await Promise.all(asked);
  agent.destroy();
  latencies.sort((a, b) => a - b);
  return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), answers };
}

export function ask(
  url: string,
  agent: Agent,
  { path, apiKey, body, idempotencyKey }: ProbeRequest,
): Promise<string> {
  const text = JSON.stringify(body);
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    };
    const sent = request(url + path, { method: 'POST', agent, headers, timeout: TIMEOUT_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve('none'));
      response.on('end', () => resolve(nameOf(response.statusCode ?? 0, Buffer.concat(chunks).toString())));
    });
    sent.on('timeout', () => sent.destroy(new Error('timeout')));
    sent.on('error', () => resolve('none'));
    sent.end(text);
  });
}
