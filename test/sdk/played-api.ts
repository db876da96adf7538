import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Outdial, type OutdialOptions } from '../../sdk/src/index.js';

/** A request as the server of a test got it. */
export interface Got {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Milliseconds of a clock that only goes forward. */
  at: number;
}

/** What becomes of a request. */
export type Play = (response: ServerResponse, request: IncomingMessage) => void;

export function answers(status: number, body?: unknown, headers: Record<string, string> = {}): Play {
  const text = body === undefined ? '' : JSON.stringify(body);
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

/** The connection ends without an answer. */
export const cuts: Play = (response) => response.destroy();

/** The connection ends within the body of a success. */
export const cutsInTheMiddle: Play = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"success":', () => response.destroy());
};

/** No answer comes. */
export const hangs: Play = () => undefined;

/** A server that plays the API: each request gets the next play, and the last one again and again. */
export class PlayedApi {
  readonly requests: Got[] = [];
  private plays: Play[] = [answers(200, {})];
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    // A client that leaves.
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      this.requests.push({
        method,
        path: url,
        headers,
        at: performance.now(),
        body: Buffer.concat(chunks).toString(),
      });
      const [play, ...rest] = this.plays;
      if (rest.length > 0) this.plays = rest;
      play?.(response, request);
    });
  });

  /** The same for all tests of a file. */
  static ofFile(): PlayedApi {
    const api = new PlayedApi();
    beforeAll(() => new Promise<void>((resolve) => api.server.listen(0, '127.0.0.1', resolve)));
    afterAll(async () => {
      const closed = new Promise((resolve) => api.server.close(resolve));
      api.server.closeAllConnections();
      await closed;
    });
    beforeEach(() => {
      api.requests.length = 0;
    });
    return api;
  }

  play(...plays: Play[]): void {
    this.plays = plays;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A client that pauses as briefly as it can. */
  client(options: Partial<OutdialOptions> = {}): Outdial {
    return new Outdial({ baseUrl: this.url, apiKey: 'od_live_key', backoffMs: 1, ...options });
  }

  /** The values of a header, one for each request. */
  sent(header: string): (string | string[] | undefined)[] {
    return this.requests.map(({ headers }) => headers[header]);
  }
}

/** What a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it was fulfilled');
}

export async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
