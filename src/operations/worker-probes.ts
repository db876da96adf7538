import { createServer, type Server, type ServerResponse } from 'node:http';
import { type HealthService } from './health.service.js';

/** The worker's bare listener: the same probes as the API's, without a framework around them. */
export function workerProbes(health: HealthService): Server {
  return createServer((request, response) => {
    const path = request.method === 'GET' ? request.url?.split('?')[0] : undefined;
    if (path === '/health/live') return answer(response, 200, { status: 'ok' });
    if (path !== '/health/ready') return answer(response, 404, { error: 'Not found' });
    health.readiness().then(
      (readiness) => answer(response, readiness.ready ? 200 : 503, readiness),
      () => answer(response, 503, { ready: false }),
    );
  });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
