import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type CarrierEvent } from '../carrier.js';
import { HTTP_EVENTS_PATH } from '../http/protocol.js';
import { Signature } from '../http/signature.js';
import { type DialAnswer, SimulatorEngine } from './engine.js';
import { EventDelivery, type EventDeliveryOptions } from './event-delivery.js';
import { objectFrom } from '../answer-json.js';
import { carrierEventToJson } from '../event-json.js';
import { parseSimulatorRules } from './parse-rules.js';
import { type SimulatorOptions } from './simulator-options.js';

export interface SimulatorServerOptions extends SimulatorOptions {
  /**
   * The API's base URL; without it nothing is reported, and only look-ups return the states of calls.
   */
  callbackUrl?: string | null;
  /** Sent with each callback as `Authorization: Bearer …`. */
  callbackToken?: string | null;
  /**
   * With a secret, the simulator also serves the HTTP carrier's protocol at `/v1/calls`, and reports only by
   * that protocol.
   */
  signingSecret?: string | null;
  delivery?: EventDeliveryOptions;
}

/** The path to which the simulator's process reports, below the API's base URL. */
export const SIMULATOR_EVENTS_PATH = '/api/carriers/simulator/events';

const LARGEST_BODY = 4_194_304;
const CALLBACK_TIMEOUT_MS = 5_000;

/**
 * The simulator behind HTTP, for a process of its own. It serves `POST /dial`, `POST /hang-up`, `GET /calls?callRequestId=&carrierCallId=&to=`,
 * `PUT /rules`, `GET /dials` and `GET /health`. As a runtime behind the HTTP carrier, it serves `POST
 * /v1/calls`, `GET /v1/calls/{id}` and `POST /v1/calls/{id}/hang-up`.
 */
export class SimulatorServer {
  private readonly engine: SimulatorEngine;
  private readonly delivery: EventDelivery;
  private readonly server: Server;
  private readonly signature: Signature | null;

  constructor(private readonly options: SimulatorServerOptions) {
    this.signature = options.signingSecret ? new Signature(options.signingSecret) : null;
    this.delivery = new EventDelivery((event) => this.callBack(event), options.delivery);
    this.engine = new SimulatorEngine(options, (event) => {
      if (options.callbackUrl) this.delivery.deliver(event);
    });
    this.server = createServer((request, response) => {
      this.handle(request, response).catch(() => {
        if (response.headersSent) response.destroy();
        else answer(response, 500, { error: 'unexpected error' });
      });
    });
  }

  /** Starts to listen. Resolves to the port, which the system chooses if `port` is 0. */
  async listen(port: number, host: string): Promise<number> {
    this.engine.open();
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.engine.close();
    await this.delivery.close();
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://simulator');
    switch (`${request.method} ${url.pathname}`) {
      case 'POST /dial':
        return this.dial(await bodyOf(request), response);
      case 'POST /v1/calls':
        return this.dialSigned(request, await bodyOf(request), response);
      case 'POST /hang-up':
        return this.hangUp(await bodyOf(request), response);
      case 'GET /calls':
        return this.find(url.searchParams, response);
      case 'PUT /rules': {
        const parsed = parseSimulatorRules((await bodyOf(request)) ?? 'too large');
        if (!parsed.ok) return answer(response, 400, { error: parsed.message });
        this.engine.setRules(parsed.rules);
        return answer(response, 200, { rules: parsed.rules });
      }
      case 'GET /dials':
        return answer(response, 200, { items: this.engine.dials() });
      case 'GET /health':
        return answer(response, 200, { status: 'ok' });
      default:
        return this.handleSigned(request, url.pathname, response);
    }
  }

  private async dial(body: string | null, response: ServerResponse): Promise<void> {
    const request = dialFrom(body);
    if (request === null) return answer(response, 400, { kind: 'refused', reason: 'malformed_request' });
    const result = await this.engine.dial(request);
    this.answerDial(result, response, 200, result);
  }

  /**
   * Receives a dial by the HTTP carrier's protocol. The simulator does not compare the request's key with
   * earlier keys, because the dial log must contain every dial.
   */
  private async dialSigned(request: IncomingMessage, body: string | null, response: ServerResponse) {
    if (!this.signature?.verifies(Buffer.from(body ?? ''), request.headers)) return unsigned(response);
    const dial = dialFrom(body);
    if (dial === null) return answer(response, 422, { refused: 'malformed_request' });
    const result = await this.engine.dial(dial);
    const said = result.kind === 'accepted' ? result : { refused: 'reason' in result ? result.reason : '' };
    this.answerDial(result, response, 202, said);
  }

  private answerDial(result: DialAnswer, response: ServerResponse, accepted: number, body: object): void {
    switch (result.kind) {
      case 'accepted':
        return answer(response, accepted, body);
      case 'refused':
        return answer(response, 422, body);
      case 'throttled': {
        const seconds = Math.ceil(result.retryAfterMs / 1_000);
        return answer(response, 429, body, { 'retry-after': String(seconds) });
      }
      case 'error':
        return answer(response, 500, { error: 'simulated error' });
      case 'reset':
      case 'closed':
        response.socket?.resetAndDestroy();
    }
  }

  private find(parameters: URLSearchParams, response: ServerResponse): void {
    const event = this.engine.find(
      parameters.get('callRequestId') ?? '',
      parameters.get('carrierCallId'),
      parameters.get('to') ?? '',
    );
    if (event === null) return answer(response, 404, { kind: 'not_found' });
    answer(response, 200, { kind: 'found', event: carrierEventToJson(event) });
  }

  private hangUp(body: string | null, response: ServerResponse): void {
    const { callRequestId, carrierCallId, to } = objectFrom(body ?? '');
    const ended = this.engine.hangUp(
      String(callRequestId),
      isText(carrierCallId) ? carrierCallId : null,
      isText(to) ? to : '',
    );
    if (ended === null) return answer(response, 404, { kind: 'not_in_progress' });
    const { event } = ended;
    answer(response, 202, { kind: 'accepted', ...(event && { event: carrierEventToJson(event) }) });
  }

  /** Receives look-ups and hang-ups by the HTTP carrier's protocol. */
  private async handleSigned(request: IncomingMessage, path: string, response: ServerResponse) {
    const [, id = '', action = ''] = /^\/v1\/calls\/([^/]+)(\/hang-up)?$/.exec(path) ?? [];
    switch (`${request.method} ${id === '' ? '' : action || 'look-up'}`) {
      case 'GET look-up':
        return this.findSigned(request, id, response);
      case 'POST /hang-up':
        return this.hangUpSigned(request, id, await bodyOf(request), response);
      default:
        return answer(response, 404, { error: 'no such route' });
    }
  }

  private hangUpSigned(request: IncomingMessage, id: string, body: string | null, response: ServerResponse) {
    if (!this.signature?.verifies(Buffer.from(body ?? ''), request.headers)) return unsigned(response);
    const ended = this.engine.hangUp(id, null, '');
    if (ended === null) return answer(response, 409, { error: 'the call is not in progress' });
    answer(response, 202, {});
  }

  private findSigned(request: IncomingMessage, id: string, response: ServerResponse): void {
    if (!this.signature?.verifies(Buffer.alloc(0), request.headers)) return unsigned(response);
    const event = this.engine.find(id);
    if (event === null) return answer(response, 404, { error: 'no such call' });
    answer(response, 200, carrierEventToJson(event));
  }

  private async callBack(event: CarrierEvent): Promise<void> {
    const { callbackUrl, callbackToken } = this.options;
    const path = this.signature ? HTTP_EVENTS_PATH : SIMULATOR_EVENTS_PATH;
    const body = JSON.stringify(carrierEventToJson(event));
    const response = await fetch(`${(callbackUrl ?? '').replace(/\/+$/, '')}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(callbackToken && !this.signature ? { authorization: `Bearer ${callbackToken}` } : {}),
        ...this.signature?.headersFor(randomUUID(), body),
      },
      body,
      signal: AbortSignal.timeout(CALLBACK_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`callback answered ${response.status}`);
  }
}

function unsigned(response: ServerResponse): void {
  answer(response, 401, { error: 'the signature is missing, wrong, or old' });
}

function answer(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= LARGEST_BODY) chunks.push(chunk);
  }
  return size <= LARGEST_BODY ? Buffer.concat(chunks).toString() : null;
}

function dialFrom(body: string | null): { callRequestId: string; to: string; from: string } | null {
  let value: unknown;
  try {
    value = JSON.parse(body ?? '');
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { callRequestId, to, from } = value as Record<string, unknown>;
  const complete = isText(callRequestId) && isText(to) && isText(from);
  return complete && /^\+[1-9]\d{4,14}$/.test(to) ? { callRequestId, to, from } : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
