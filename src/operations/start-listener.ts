import { type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Connections, SERVER_LIMITS } from '../http/connections.js';
import { ExpressServer } from '../http/express-server.js';
import { requestIdFrom } from '../telemetry/request-id.js';
import { STARTING } from './worker-probes.js';

const CALL_ENDPOINT = /^\/api\/voice-agents\/[^/?]+\/calls\/?(?:\?|$)/i;

/** A copy of the call endpoint's refusal (`REFUSALS`), which is loaded only with the application. */
const CALL_UNAVAILABLE = {
  success: false,
  message: 'The service is temporarily unavailable; try again shortly',
  reason: 'SERVICE_UNAVAILABLE',
  retryable: true,
};
const UNAVAILABLE = { error: 'Service unavailable, try again later' };
const RETRY_AFTER_SECONDS = '5';

/**
 * How many connections the kernel holds until they are accepted; Node's default is 511. The kernel drops
 * further connections, and their clients try again after a second. A burst of one client would delay other
 * clients by this second.
 */
const BACKLOG = 4_096;

/**
 * The API's server, which listens before the application exists: the application waits for Postgres for up to
 * half a minute. Until {@link handOver}, the server answers probes (live, not ready), and refuses other
 * requests as unavailable.
 */
export class StartListener {
  readonly express = new ExpressServer(SERVER_LIMITS);
  readonly server: Server = this.express.server;
  readonly connections: Connections;

  /** @param maxConnections as {@link Connections} has it. */
  constructor(maxConnections: number) {
    this.connections = new Connections(this.server, maxConnections);
    this.server.on('request', answerWhileStarting);
  }

  /** @param host an address or name; unset: all addresses of the machine. @throws when the port is in use. */
  async listen(port: number, host: string | undefined): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen({ port, host, backlog: BACKLOG }, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
  }

  /** From now on `handler` answers. */
  handOver(handler: RequestListener): void {
    this.server.off('request', answerWhileStarting).on('request', handler);
  }
}

const answerWhileStarting: RequestListener = (request, response) => {
  const url = request.url ?? '';
  // The bodies of these requests are not read.
  response.setHeader('Connection', 'close');
  if (/^\/health\/live\/?(?:\?|$)/.test(url)) return send(response, 200, { status: 'ok' });
  if (/^\/health\/ready\/?(?:\?|$)/.test(url)) return send(response, STARTING.status, STARTING.body);
  response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
  const requestId = requestIdFrom(request.headers['x-request-id']);
  response.setHeader('X-Request-Id', requestId);
  if (request.method === 'POST' && CALL_ENDPOINT.test(url))
    return send(response, 500, { ...CALL_UNAVAILABLE, requestId });
  send(response, 503, { ...UNAVAILABLE, requestId });
};

function send(response: ServerResponse, status: number, body: object | string): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
