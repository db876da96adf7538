import { type Socket } from 'node:net';
import { DueEnrollmentsService } from '../../src/campaigns/engine/due-enrollments.service.js';
import { WorkerEngineWakeUps } from '../../src/queue/engine-channel.js';
import { countingServer, HTTP_SECRET } from '../carriers/support.js';
import { buildAgent } from '../support/builders.js';
import { Calling } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
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

test('beside backlogs of its team and of another one, a campaign uses all pacing slots of its carrier, and an archived one ends', async () => {
  // The calls of a team with such a limit are claimed under one lock.
  const team = { max_concurrent_calls: 1_000 };
  const { caller, campaign: paced } = await startCampaign(calling, once, { team });
  const { id: agentId } = await buildAgent(calling.db, caller.teamId, {
    carrier: 'http',
    outbound_phone_number: caller.callerNumber,
  });
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
  expect(await claims(paced)).toEqual([]);
  await redis.restore();
  await calling.startWorker();
  await claimed(paced, 1);
});

test('campaigns of several teams have at most WORKER_CONCURRENCY dials in progress', async () => {
  const waiting: Socket[] = [];
  answer = (socket) => waiting.push(socket);
  const campaigns = [];
  for (let n = 0; n < 3; n += 1) campaigns.push((await startCampaign(calling, once, overHttp)).campaign);
  for (const campaign of campaigns) await campaign.enrollMany(WORKER_CONCURRENCY);
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
