import { type Socket } from 'node:net';
import { EngineService } from '../../src/campaigns/engine/engine.service.js';
import { DueEnrollmentsService } from '../../src/campaigns/engine/due-enrollments.service.js';
import { PacedCarrier } from '../../src/pacing/paced-carrier.js';
import { WorkerEngineWakeUps } from '../../src/queue/engine-channel.js';
import { countingServer, HTTP_SECRET } from '../carriers/support.js';
import { type Caller } from '../support/call-builders.js';
import { buildAgent } from '../support/builders.js';
import { Calling } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { LockHolder } from '../support/lock-holder.js';
import { testRedisUrl } from '../support/redis.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { startCampaign } from './support/campaign-tests.js';
import { PlayedCampaign } from './support/played-campaign.js';

/*
 * Campaigns at a carrier with a calls-per-second limit, beside campaigns at a carrier without one. The second
 * carrier is an HTTP runtime, which answers each call as the test says.
 */

const CALLS_PER_SECOND = 10;
const WORKER_CONCURRENCY = 6;
const once = { steps: [{ key: 'first', after: 'PT0S' }] };

type Runtime = Awaited<ReturnType<typeof countingServer>>;

let calling: Calling;
let redis: TcpProxy;
let runtime: Runtime;
let answer: (socket: Socket) => void;

beforeEach(async () => {
  redis = await startTcpProxy(testRedisUrl());
  runtime = await countingServer((socket) => answer(socket));
  answer = accept;
  calling = await Calling.start({
    redisUrl: redis.url,
    simulatorCallsPerSecond: CALLS_PER_SECOND,
    workerConcurrency: WORKER_CONCURRENCY,
    httpCarrierUrl: runtime.url,
    httpCarrierSecret: HTTP_SECRET,
    httpCarrierAllowPrivate: true,
    publicUrl: 'http://127.0.0.1:1',
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await redis.restore();
  await calling.close();
  await runtime.close();
  await redis.close();
});

function accept(socket: Socket): void {
  const body = JSON.stringify({ carrierCallId: 'line' });
  socket.write(
    `HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

const overHttp = { agent: { carrier: 'http' } };

/** A campaign of each of `teams` new teams, with due enrollments at the carrier without a limit. */
async function campaignsOfTeams(teams: number, enrollments: number): Promise<PlayedCampaign[]> {
  const campaigns: PlayedCampaign[] = [];
  for (let n = 0; n < teams; n += 1) campaigns.push((await startCampaign(calling, once, overHttp)).campaign);
  for (const campaign of campaigns) await campaign.enrollMany(enrollments);
  return campaigns;
}

async function httpAgentOf({ teamId, callerNumber }: Caller): Promise<string> {
  const agent = { carrier: 'http', outbound_phone_number: callerNumber };
  return (await buildAgent(calling.db, teamId, agent)).id;
}

async function claims({ id }: PlayedCampaign): Promise<number[]> {
  const rows = await calling.db.query<{ claimed_at: Date }[]>(
    'SELECT claimed_at FROM enrollment_dials WHERE campaign_id = $1 ORDER BY claimed_at',
    [id],
  );
  return rows.map(({ claimed_at: at }) => at.getTime());
}

const claimed = (campaign: PlayedCampaign, count: number) =>
  eventually(
    () => claims(campaign),
    (instants) => instants.length >= count,
    60_000,
  );

test('backlogs of its team and of another one do not hold a paced campaign up, and an archived one ends', async () => {
  // The calls of a team with such a limit are claimed under one lock.
  const team = { max_concurrent_calls: 1_000 };
  const { caller, campaign: paced } = await startCampaign(calling, once, { team });
  const agentId = await httpAgentOf(caller);
  const backlog = await PlayedCampaign.build(calling, caller, { steps: [{ ...once.steps[0], agentId }] });
  const { campaign: another } = await startCampaign(calling, once, overHttp);
  const archived = await PlayedCampaign.build(calling, caller, { steps: [{ key: 'first', after: 'P1D' }] });
  const { id } = await archived.enroll();
  answer = (socket) => setTimeout(() => accept(socket), 250);
  await paced.enrollMany(CALLS_PER_SECOND);
  await backlog.enrollMany(6 * WORKER_CONCURRENCY);
  await another.enrollMany(6 * WORKER_CONCURRENCY);
  await calling.startWorker();
  await claimed(another, WORKER_CONCURRENCY);
  await calling.db.query(`UPDATE campaigns SET status = 'archived' WHERE id = $1`, [archived.id]);
  const [ofPaced, ...ofOthers] = await Promise.all([
    claimed(paced, CALLS_PER_SECOND),
    claimed(backlog, 6 * WORKER_CONCURRENCY),
    claimed(another, 6 * WORKER_CONCURRENCY),
  ]);
  const last = Math.max(...ofOthers.flat());
  expect(ofPaced.at(-1)).toBeLessThan(last);
  const { ended_at: endedAt } = await archived.row(id);
  expect((endedAt as Date).getTime()).toBeLessThan(last);
});

test('without Redis, only the campaigns at a carrier with a limit wait, and the engine stops at once', async () => {
  const { campaign: paced } = await startCampaign(calling, once);
  const { campaign: other } = await startCampaign(calling, once, overHttp);
  const worker = await calling.startWorker();
  await redis.cut();
  await paced.enrollMany(1);
  const wakeUps = worker.get(WorkerEngineWakeUps, { strict: false });
  wakeUps.wake();
  await other.enrollMany(WORKER_CONCURRENCY);
  await claimed(other, WORKER_CONCURRENCY);
  await worker.get(DueEnrollmentsService, { strict: false }).onModuleDestroy();
  const released = jest.spyOn(PacedCarrier.prototype, 'release');
  await redis.restore();
  await eventually(
    () => Promise.resolve(released.mock.calls),
    (calls) => calls.length > 0,
    60_000,
  );
  expect(await claims(paced)).toEqual([]);
  await calling.startWorker();
  await claimed(paced, 1);
});

test('campaigns of several teams have at most WORKER_CONCURRENCY dials in progress', async () => {
  const waiting: Socket[] = [];
  answer = (socket) => waiting.push(socket);
  const campaigns = await campaignsOfTeams(3, WORKER_CONCURRENCY);
  await calling.startWorker();
  await eventually(
    () => Promise.resolve(waiting.length),
    (requests) => requests >= WORKER_CONCURRENCY,
  );
  const before = await Promise.all(campaigns.map(claims));
  expect(before.flat()).toHaveLength(WORKER_CONCURRENCY);
  answer = accept;
  for (const socket of waiting) accept(socket);
  await Promise.all(campaigns.map((campaign) => claimed(campaign, WORKER_CONCURRENCY)));
});

test('several teams share WORKER_CONCURRENCY, however long their dials take', async () => {
  answer = (socket) => setTimeout(() => accept(socket), 500);
  const campaigns = await campaignsOfTeams(4, 6 * WORKER_CONCURRENCY);
  await calling.startWorker();
  const ofEach = await eventually(
    () => Promise.all(campaigns.map(claims)),
    (each) => each.every((instants) => instants.length === 6 * WORKER_CONCURRENCY),
    60_000,
  );
  // When the first team has no more due, each of the others has claimed a third of its calls at least.
  const end = Math.min(...ofEach.map((instants) => instants.at(-1) ?? Infinity));
  const counts = ofEach.map((instants) => instants.filter((at) => at <= end).length);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(2 * WORKER_CONCURRENCY);
});

/** A campaign whose enrollments are due one second after the other, each at its step. */
async function dueInOrder(stepOf: (n: number) => string) {
  const { caller } = await startCampaign(calling, once);
  const agentId = await httpAgentOf(caller);
  const steps = [...once.steps, { key: 'second', after: 'PT0S', agentId }];
  const campaign = await PlayedCampaign.build(calling, caller, { steps });
  const enrollments = await campaign.enrollMany(2 * CALLS_PER_SECOND);
  for (const [n, { id }] of enrollments.entries())
    await calling.db.query(
      `UPDATE enrollments SET step = $2, look_at = look_at - interval '1 hour' + $3 * interval '1 second' WHERE id = $1`,
      [id, stepOf(n), n],
    );
  return { caller, campaign, enrollments };
}

test('a campaign with calls at both carriers is dialed at both', async () => {
  const { campaign } = await dueInOrder((n) => (n % 2 === 0 ? 'second' : 'first'));
  await calling.startWorker();
  await claimed(campaign, 2 * CALLS_PER_SECOND);
});

test('an enrollment whose number is locked does not hold up the others', async () => {
  const { caller, campaign, enrollments } = await dueInOrder(() => 'first');
  const holder = await LockHolder.connect(calling);
  await holder.query('BEGIN');
  await holder.query('SET LOCAL idle_in_transaction_session_timeout = 0');
  await holder.number(caller, enrollments[0]?.to ?? '');
  const decided = jest.spyOn(EngineService.prototype, 'run');
  await calling.startWorker();
  await claimed(campaign, 2 * CALLS_PER_SECOND - 1);
  const inPacingSlots = decided.mock.calls.filter(([, , only]) => only?.pacingSlot);
  expect(inPacingSlots.length).toBeLessThan(3 * 2 * CALLS_PER_SECOND);
  await holder.query('COMMIT');
  await holder.close();
  await claimed(campaign, 2 * CALLS_PER_SECOND);
});
