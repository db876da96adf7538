import { Logger } from '@nestjs/common';
import { type RequestHandler } from 'express';
import { type Metrics } from '../telemetry/metrics.js';
import { requestIdFrom } from '../telemetry/request-id.js';
import { type RequestTrace, type TracedRequest } from '../telemetry/request-trace.js';
import { clientAddressOf } from './client-address.js';
import { routePatternOf } from './route-pattern.js';

// Monitoring sends these requests every few seconds, so they are logged at `debug`.
const PROBES = /^\/(?:health|metrics)\b/;
const CLIENT_LEFT = 499;

/**
 * Gives each request its id. When the request is over, writes one line to the log and counts it in the
 * metrics. It is the first middleware, so that it sees every request.
 */
export function logRequests(metrics: Metrics): RequestHandler {
  const logger = new Logger('Http');
  return (request, response, next) => {
    const startedAt = performance.now();
    const trace: RequestTrace = { requestId: requestIdFrom(request.headers['x-request-id']) };
    (request as TracedRequest).trace = trace;
    // The address is read now, because a connection that has ended has none.
    const clientAddress = clientAddressOf(request);
    response.setHeader('X-Request-Id', trace.requestId);
    response.once('close', () => {
      const { method } = request;
      const { answeredAt, ...told } = trace;
      const milliseconds = (answeredAt ?? performance.now()) - startedAt;
      const route = routePatternOf(request);
      // The client of a stream leaves when it has seen enough.
      const isAnswered = response.writableFinished || answeredAt !== undefined;
      const status = isAnswered ? response.statusCode : CLIENT_LEFT;
      metrics.requestAnswered(method, route, status, milliseconds / 1_000);
      const durationMs = Math.round(milliseconds * 10) / 10;
      const line = { message: 'request', method, route, status, durationMs, clientAddress, ...told };
      if (PROBES.test(route)) logger.debug(line);
      else logger.log(line);
    });
    next();
  };
}
