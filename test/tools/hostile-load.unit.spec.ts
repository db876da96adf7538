import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { serverErrors } from '../../tools/bench/answers.js';
import { flood } from '../../tools/hostile/flood.js';
import { probe } from '../../tools/bench/probe.js';

let server: Server;
let url: string;
/** What each request is answered, in order; the last for all that follow. */
let answers: { status: number; body: string; close?: boolean }[];
let connections: number;

beforeEach(async () => {
  connections = 0;
  server = createServer((request, response) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === undefined || answer.status === 0) return void request.socket.destroy();
    const { status, body, close } = answer;
    response.writeHead(status, {
      'content-length': Buffer.byteLength(body),
      ...(close ? { connection: 'close' } : {}),
    });
    response.end(body);
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function requests(times: number): () => Buffer | null {
  return () => (times-- > 0 ? Buffer.from('GET / HTTP/1.1\r\nHost: test\r\n\r\n') : null);
}

const soon = () => performance.now() + 10_000;

describe('the load of the hostile situations', () => {
  it('counts every answer by status and reason, of any size', async () => {
    answers = [
      { status: 200, body: 'x'.repeat(3_000_000) },
      { status: 500, body: '{"success":false,"reason":"ALREADY_SCHEDULED"}' },
      { status: 503, body: '{}' },
      { status: 200, body: '' },
    ];
    const counted = await flood({ url, connections: 1, until: soon(), next: requests(5) });
    expect(counted).toEqual({ '200': 3, '500 ALREADY_SCHEDULED': 1, '503': 1 });
    expect(connections).toBe(1);
  });

  it('reconnects when the server closes, and distinguishes an answer from none', async () => {
    answers = [
      { status: 401, body: '{}', close: true },
      { status: 0, body: '' },
      { status: 200, body: '' },
    ];
    const counted = await flood({ url, connections: 1, until: soon(), next: requests(3) });
    expect(counted).toEqual({ '401': 1, none: 1, '200': 1 });
    expect(connections).toBe(3);
  });

  it('recognizes the refusals that the contract answers with 500', () => {
    expect(serverErrors({ '200': 5, '500 DO_NOT_CALL': 2, '401': 1, none: 3 })).toBe(0);
    expect(serverErrors({ '500 SERVICE_UNAVAILABLE': 2, '503': 3, '500': 1 })).toBe(6);
  });

  it('probes until it is stopped', async () => {
    answers = [{ status: 200, body: '{}' }];
    let asked = 0;
    const request = { path: '/', apiKey: 'key', body: {} };
    const {
      answers: counted,
      p50,
      p99,
    } = await probe(
      url,
      () => request,
      () => (asked += 1) <= 20,
    );
    expect(counted).toEqual({ '200': 20 });
    expect(p50).toBeLessThanOrEqual(p99);
  });
});
