import { type INestApplicationContext } from '@nestjs/common';
import supertest from 'supertest';
import { HealthService } from '../../src/operations/health.service.js';
import { ScrapeService } from '../../src/operations/scrape.service.js';
import { FailedAuthentications } from '../../src/http/failed-authentications.js';
import { workerProbes } from '../../src/operations/worker-probes.js';
import { Metrics } from '../../src/telemetry/metrics.js';
import { buildCaller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { refusedForFailures } from '../support/failures.js';
import { samplesOf } from './samples.js';

const TOKEN = 'token-of-the-scraper';

const calling = Calling.ofFile({ metricsToken: TOKEN });
let worker: INestApplicationContext;

beforeAll(async () => {
  worker = await calling.startWorker();
  for (const process of [calling.api, worker]) process.get(Metrics).collectProcess();
});

const onApi = () => supertest(calling.api.getHttpServer());
const apiText = async () => (await onApi().get('/metrics').set(bearer(TOKEN)).expect(200)).text;

test('no label contains a number, an id or a caller’s text', async () => {
  const caller = await buildCaller(calling.db);
  await onApi().get('/api/%2B14155552671/nowhere').expect(404);
  await onApi().get(`/API/Calls/${caller.agentId}`).set(bearer(caller.apiKey)).expect(404);
  await calling.operator('delete', `/teams/${caller.teamId}/do-not-call/+14155552671`);
  for (const text of [await apiText(), await worker.get(ScrapeService).text()]) {
    const values = Object.keys(samplesOf(text)).flatMap((series) => series.match(/"[^"]*"/g) ?? []);
    expect(values.length).toBeGreaterThan(50);
    expect(values.filter((value) => /\d{5}|[\da-f]{8}-[\da-f]{4}|nowhere/i.test(value))).toEqual([]);
  }
  const samples = samplesOf(await apiText());
  expect(samples['outdial_http_requests_total{method="GET",route="unmatched",status="404"}']).toBe(1);
  expect(
    samples['outdial_http_requests_total{method="GET",route="/api/calls/:callRequestId",status="404"}'],
  ).toBe(1);
});

test('pages that Express does not route have route labels', async () => {
  await onApi().get('/').set('Accept', 'text/html').expect(200);
  for (const path of ['/admin/queues', '/admin/queues/queue/outdial-calls']) await onApi().get(path);
  const series = Object.keys(samplesOf(await apiText())).filter((key) =>
    key.startsWith('outdial_http_requests_total'),
  );
  expect(series).toContain('outdial_http_requests_total{method="GET",route="/",status="200"}');
  expect(series.filter((key) => key.includes('route="/admin/queues"'))).toHaveLength(1);
});

describe('the token of the metrics', () => {
  test.each([undefined, 'Bearer wrong-wrong-wrong', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`])(
    '%s is refused by the API',
    async (authorization) => {
      const request = onApi().get('/metrics');
      const answer = await (authorization === undefined ? request : request.set({ authorization }));
      expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid metrics token' }]);
    },
  );

  test('the media type is that of Prometheus', async () => {
    const answer = await onApi().get('/metrics').set(bearer(TOKEN));
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  test.each([
    [TOKEN, undefined, 401],
    [TOKEN, TOKEN, 200],
    [undefined, undefined, 200],
  ])('the worker’s listener: asked for %s, given %s: %d', async (metricsToken, given, status) => {
    const [health, scrape] = [worker.get(HealthService), worker.get(ScrapeService)];
    const server = workerProbes(() => ({ health, scrape, metricsToken }));
    const answer = await supertest(server)
      .get('/metrics')
      .set(given === undefined ? {} : bearer(given));
    expect(answer.status).toBe(status);
    if (status === 200) {
      expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(answer.text).toContain('\noutdial_overdue_seconds ');
    }
  });

  test('after too many wrong tokens the worker’s listener answers 429, and the right one is still accepted', async () => {
    const [health, scrape] = [worker.get(HealthService), worker.get(ScrapeService)];
    const failures = new FailedAuthentications();
    const server = workerProbes(() => ({ health, scrape, metricsToken: TOKEN }), failures);
    const ask = (token: string) => supertest(server).get('/metrics').set(bearer(token));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const refused = await refusedForFailures(failures, () => ask('wrong'));
      expect(refused.body).toEqual({ error: 'Too many failed authentications' });
      expect(refused.headers['retry-after']).toBe('1');
      expect((await ask(TOKEN)).status).toBe(200);
      expect((await supertest(server).get('/metrics')).status).toBe(401);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});

test('metrics cost a request less than 20 µs of CPU', () => {
  const metrics = new Metrics();
  const count = () => {
    metrics.requestAnswered('POST', '/api/voice-agents/:agentId/calls', 200, 0.012);
    metrics.decided('trigger', 'accepted');
  };
  for (let i = 0; i < 5_000; i += 1) count();
  const rounds = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < 5_000; i += 1) count();
    return process.cpuUsage(before).user / 5_000;
  });
  // The best of them: the others measure what else the machine does.
  expect(Math.min(...rounds)).toBeLessThan(20);
});
