import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { Connections, SERVER_LIMITS } from '../http/connections.js';
import { describeError } from '../telemetry/describe-error.js';
import { FailedAuthentications, TOO_MANY_FAILURES } from '../http/failed-authentications.js';
import { requestIdFrom } from '../telemetry/request-id.js';
import { type HealthService } from './health.service.js';
import { mayReadMetrics } from './metrics-access.js';
import { type ScrapeService } from './scrape.service.js';

/** The services that the worker's listener needs for its answers. */
export interface ProbeSources {
  health: HealthService;
  scrape: ScrapeService;
  metricsToken: string | undefined;
}

type Answer = { status: number; body: object | string; retryAfter?: number };

/** The most connections at a time. */
const MAX_PROBES = 200;

/** No body is read here, so one that does not end must end with its connection. */
const REQUEST_TIMEOUT_MS = 20_000;

const NOT_FOUND: Answer = { status: 404, body: { error: 'Not found' } };

/** The answer of readiness and metrics until the application has started. */
export const STARTING: Answer = { status: 503, body: { ready: false, checks: { process: 'is starting' } } };

/**
 * The worker's bare listener: the same probes and metrics as the API's, without a framework around them.
 *
 * @param sources returns undefined until the application has started; until then, the process is live but not
 *   ready.
 */
export function workerProbes(
  sources: () => ProbeSources | undefined,
  failures = new FailedAuthentications(),
): Server {
  const logger = new Logger('Probes');
  const server = createServer(
    { ...SERVER_LIMITS, requestTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      const known = sources();
      const requestId = requestIdFrom(request.headers['x-request-id']);
      response.setHeader('X-Request-Id', requestId);
      answerTo(request, known, failures).then(
        (answer) => send(response, withId(answer, requestId), known?.scrape.contentType ?? ''),
        (error: unknown) => {
          logger.warn({ message: `probe failed: ${describeError(error)}`, requestId });
          send(response, withId({ status: 500, body: { error: 'Internal server error' } }, requestId), '');
        },
      );
    },
  );
  new Connections(server, MAX_PROBES);
  return server;
}

async function answerTo(
  request: IncomingMessage,
  sources: ProbeSources | undefined,
  failures: FailedAuthentications,
): Promise<Answer> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return NOT_FOUND;
  const [path = '', parameters] = (request.url ?? '').split('?', 2);
  switch (path) {
    case '/health/live':
      return { status: 200, body: { status: 'ok' } };
    case '/health/ready': {
      if (!sources) return STARTING;
      const withoutRedis = new URLSearchParams(parameters).get('without') === 'redis';
      const readiness = await sources.health.readiness({ withoutRedis });
      return { status: readiness.ready ? 200 : 503, body: readiness };
    }
    case '/metrics':
      if (!sources) return STARTING;
      if (!mayReadMetrics(sources.metricsToken, request.headers.authorization)) {
        const retryAfter = failures.waitAfter(request);
        if (retryAfter !== null) return { status: 429, body: { error: TOO_MANY_FAILURES }, retryAfter };
        return { status: 401, body: { error: 'Invalid metrics token' } };
      }
      return { status: 200, body: await sources.scrape.text() };
    default:
      return NOT_FOUND;
  }
}

/** Adds the id of the request to an error, as the API does. */
function withId(answer: Answer, requestId: string): Answer {
  const { body } = answer;
  return typeof body === 'object' && 'error' in body ? { ...answer, body: { ...body, requestId } } : answer;
}

function send(response: ServerResponse, { status, body, retryAfter }: Answer, textType: string): void {
  const text = typeof body === 'string';
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
  response.writeHead(status, { 'Content-Type': text ? textType : 'application/json' });
  response.end(text ? body : JSON.stringify(body));
}
