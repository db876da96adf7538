import { type INestApplicationContext } from '@nestjs/common';
import { zoneData } from '../../src/domain/zones/time-zone.js';
import { buildCall, buildContact, nextNumber } from '../support/builders.js';
import { buildCaller, hoursOpeningIn } from '../support/call-builders.js';
import { Calling, NEVER_MS } from '../support/calling.js';
import { moveClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { testRedisUrl } from '../support/redis.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { fresh, grown } from './samples.js';

let calling: Calling;
let worker: INestApplicationContext;
let redisProxy: TcpProxy;

beforeAll(async () => {
  redisProxy = await startTcpProxy(testRedisUrl());
  calling = await Calling.start({ redisUrl: redisProxy.url });
  worker = await calling.startWorker();
});
afterAll(async () => {
  await calling.close();
  await redisProxy.close();
});
beforeEach(() => moveClock(calling.db, '0'));

const api = () => fresh(calling.api);
const workerSamples = () => fresh(worker);

const CALLS_ROUTE = '/api/voice-agents/:agentId/calls';

test('both processes tell the version of their zone data', async () => {
  for (const samples of [await api(), await workerSamples()])
    expect(samples[`outdial_tzdata_info{version="${zoneData().version}"}`]).toBe(1);
});

test('a call is counted in both processes', async () => {
  const [apiBefore, workerBefore] = [await api(), await workerSamples()];
  const caller = await buildCaller(calling.db);
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  await calling.until(caller, id, 'completed');

  const atApi = await api();
  for (const series of [
    `outdial_http_requests_total{method="POST",route="${CALLS_ROUTE}",status="200"}`,
    `outdial_http_request_duration_seconds_count{method="POST",route="${CALLS_ROUTE}"}`,
    'outdial_decisions_total{step="trigger",outcome="accepted",rule="none"}',
  ]) {
    expect([series, grown(apiBefore, atApi, series)]).toEqual([series, 1]);
  }
  const atWorker = await workerSamples();
  for (const series of [
    'outdial_decisions_total{step="fire",outcome="dialed",rule="none"}',
    'outdial_dials_total{carrier="simulator",outcome="accepted"}',
    'outdial_dial_duration_seconds_count{carrier="simulator"}',
    'outdial_call_outcomes_total{status="completed"}',
    'outdial_call_lateness_seconds_count{status="queued"}',
  ]) {
    expect([series, grown(workerBefore, atWorker, series)]).toEqual([series, 1]);
  }
  expect(grown(workerBefore, atWorker, 'outdial_sweeper_runs_total{result="ok"}')).toBeGreaterThan(0);
});

test('refusals are counted by their rule, at the trigger and at the firing', async () => {
  const [apiBefore, workerBefore] = [await api(), await workerSamples()];
  const caller = await buildCaller(calling.db, { whitelist_only: true });
  await calling.trigger(caller, { phoneNumber: nextNumber() }).expect(400);
  await calling.trigger({ ...caller, apiKey: 'wrong' }, { phoneNumber: nextNumber() }).expect(500);
  const later = await buildCaller(calling.db, { whitelist_only: true }, hoursOpeningIn(3));
  const id = await calling.accepted(later, { phoneNumber: nextNumber() });
  await moveClock(calling.db, '3 hours');
  await calling.until(later, id, 'blocked');

  const atApi = await api();
  for (const [outcome, rule] of [
    ['refused', 'NOT_WHITELISTED'],
    ['refused', 'INVALID_API_KEY'],
    ['scheduled', 'none'],
  ]) {
    const series = `outdial_decisions_total{step="trigger",outcome="${outcome}",rule="${rule}"}`;
    expect([series, grown(apiBefore, atApi, series)]).toEqual([series, 1]);
  }
  const fired = 'outdial_decisions_total{step="fire",outcome="blocked",rule="NOT_WHITELISTED"}';
  const atWorker = await workerSamples();
  expect(grown(workerBefore, atWorker, fired)).toBe(1);
  // Its delayed job comes in three real hours: this one was found by the sweeper.
  expect(grown(workerBefore, atWorker, 'outdial_sweeper_repairs_total{kind="woken"}')).toBeGreaterThan(0);
});

test('lateness is measured from the due time to the claim, by the clock of Postgres', async () => {
  const before = await workerSamples();
  const caller = await buildCaller(calling.db, {}, hoursOpeningIn(3));
  const answer = await calling.trigger(caller, { phoneNumber: nextNumber() });
  const { callRequestId, runsAt } = answer.body as { callRequestId: string; runsAt: string };
  // Two minutes after the due time.
  await moveClock(calling.db, `${Date.parse(runsAt) + 120_000 - Date.now()} milliseconds`);
  await calling.until(caller, callRequestId, 'completed');
  const after = await workerSamples();
  const late = grown(before, after, 'outdial_call_lateness_seconds_sum{status="scheduled"}');
  expect(late).toBeGreaterThanOrEqual(120);
  expect(late).toBeLessThan(180);
});

test('overdue and open calls are read from Postgres, without those of paused teams', async () => {
  const caller = await buildCaller(calling.db);
  const paused = await buildCaller(calling.db, { paused: true });
  const before = await fresh(worker);
  const add = async (teamId: string, agentId: string, minutesAgo: number, status: string) => {
    const contact = await buildContact(calling.db, teamId);
    const runsAt = new Date(Date.now() - minutesAgo * 60_000);
    return buildCall(
      calling.db,
      { team_id: teamId, agent_id: agentId, contact_id: contact.id, phone_number: contact.phone_number },
      { status, runs_at: runsAt, accepted_at: runsAt, woken_at: new Date(Date.now() + 3_600_000) },
    );
  };
  const calls = [
    await add(caller.teamId, caller.agentId, 7, 'scheduled'),
    await add(caller.teamId, caller.agentId, 2, 'queued'),
    await add(caller.teamId, caller.agentId, -5, 'scheduled'),
    await add(paused.teamId, paused.agentId, 60, 'scheduled'),
  ];
  try {
    for (const process of [calling.api, worker]) {
      const after = await fresh(process);
      expect(after.outdial_overdue_seconds).toBeGreaterThanOrEqual(420);
      expect(after.outdial_overdue_seconds).toBeLessThan(480);
      expect(grown(before, after, 'outdial_overdue_calls')).toBe(2);
      expect(grown(before, after, 'outdial_calls{status="scheduled"}')).toBe(3);
      expect(after['outdial_calls{status="dial_unknown"}']).toBe(0);
    }
  } finally {
    await calling.db.query('DELETE FROM call_requests WHERE id = ANY($1)', [calls.map(({ id }) => id)]);
  }
});

describe('the offset of the clock', () => {
  const offset = async (process: INestApplicationContext) =>
    (await fresh(process)).outdial_clock_offset_seconds;

  test('is that of the real clock, whatever the clock of the rules says', async () => {
    // Postgres and the processes are on this machine.
    await moveClock(calling.db, '3 hours');
    for (const process of [calling.api, worker])
      expect(Math.abs((await offset(process)) ?? NaN)).toBeLessThan(60);
  });

  test.each([600, -600])('of a process %i seconds ahead of Postgres is that', async (seconds) => {
    const real = Date.now;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => real() + seconds * 1_000);
    try {
      const measured = (await offset(calling.api)) ?? NaN;
      expect(Math.abs(measured - seconds)).toBeLessThan(60);
    } finally {
      clock.mockRestore();
    }
  });
});

test('wake-ups in Redis are counted by state', async () => {
  const before = await fresh(calling.api);
  const caller = await buildCaller(calling.db, {}, hoursOpeningIn(5));
  await calling.accepted(caller, { phoneNumber: nextNumber() });
  expect(grown(before, await fresh(calling.api), 'outdial_queue_jobs{state="delayed"}')).toBe(1);
});

test('without Redis its gauges are absent, the others stay, and a lost wake-up is counted', async () => {
  const caller = await buildCaller(calling.db, {}, hoursOpeningIn(5));
  const before = await api();
  await redisProxy.cut();
  try {
    await calling.accepted(caller, { phoneNumber: nextNumber() });
    const after = await fresh(calling.api);
    expect(after.outdial_redis_up).toBe(0);
    expect(after.outdial_database_up).toBe(1);
    expect(Object.keys(after).filter((series) => series.startsWith('outdial_queue_jobs'))).toEqual([]);
    expect(grown(before, after, 'outdial_wake_ups_unconfirmed_total')).toBe(1);
  } finally {
    await redisProxy.restore();
  }
  await eventually(
    () => fresh(calling.api),
    (samples) =>
      samples.outdial_redis_up === 1 && samples['outdial_queue_jobs{state="delayed"}'] !== undefined,
  );
});

test('servers that hang delay a scrape for a limited time', async () => {
  redisProxy.freeze();
  try {
    const startedAt = performance.now();
    const samples = await fresh(worker);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(samples.outdial_redis_up).toBe(0);
  } finally {
    await redisProxy.restore();
  }
});

test('a worker without a sweeper counts no runs', async () => {
  const idle = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
  expect((await fresh(idle))['outdial_sweeper_runs_total{result="ok"}']).toBe(0);
});
