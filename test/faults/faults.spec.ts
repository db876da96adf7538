import { CampaignTraffic } from '../../tools/faults/campaign-traffic.js';
import { FAULTS } from '../../tools/faults/catalogue.js';
import { checkHistory } from '../../tools/faults/check-history.js';
import { playOut } from '../../tools/faults/play-out.js';
import { Random } from '../../tools/faults/random.js';
import { recovery } from '../../tools/faults/singly.js';
import { Traffic } from '../../tools/faults/traffic.js';
import { type Tenant } from '../../tools/faults/tenants.js';
import { World } from '../../tools/faults/world.js';
import { eventually } from '../support/eventually.js';

/*
 * The short form of `npm run test:faults`. Calls are placed and campaigns played all the while, and some
 * faults happen one after the other. At the end every dial is checked.
 */

const SEED = 20_261_120;
/** The others are for the long form. */
const SHORT = [
  'worker killed between claim and carrier',
  'worker killed between carrier and record',
  'worker stopped after its claim',
  'SIGTERM during a dial',
  'API killed between commit and enqueue',
  'Redis flushed',
  'Redis hanging, then its connections gone without a word',
  'Postgres crashed in the middle of a commit',
  'claim committed, its answer lost',
  'job delivered ten times',
  'job delivered while its call is being dialed',
  'carrier resets',
];
const MINUTE = 60_000;

const random = new Random(SEED);
let world: World;
let traffic: Traffic;
let campaigns: CampaignTraffic;
let placing: Promise<unknown>;

beforeAll(async () => {
  world = await World.create({ random, calls: 2_000, attempts: 500 });
}, 5 * MINUTE);
// By itself: a world that took too long gets no traffic.
beforeAll(() => {
  if (world === undefined) return;
  traffic = new Traffic(world, random);
  campaigns = new CampaignTraffic(world, random);
  placing = Promise.all([traffic.run(5), campaigns.run(1)]);
});
afterAll(async () => {
  traffic?.stop();
  campaigns?.stop();
  // Also one that was still being made. Its servers gone, no request waits.
  await World.closeAll();
  await placing;
}, 2 * MINUTE);

function free(): Tenant {
  return world.tenants[0] as Tenant;
}

/** What a busy machine adds to an answer, in ms: ten times what one takes while all is well. */
async function busyMs(): Promise<number> {
  return 10 * Math.max(...(await triggerSome(3)).map(({ ms }) => ms));
}

/** Some calls to numbers that answer, one after the other. */
async function triggerSome(count: number) {
  const answers = [];
  for (let i = 0; i < count; i += 1) {
    answers.push(await world.client.trigger(free(), world.numbers.next('completed')));
  }
  return answers;
}

/** A probe may show what was found a moment before. */
function unready() {
  return eventually(
    () => world.client.readiness(),
    ({ status }) => status === 503,
  );
}

async function statusesOf(ids: (string | null)[]): Promise<string[]> {
  const { rows } = await world.db.query<{ status: string }>(
    'SELECT status FROM call_requests WHERE id = ANY($1)',
    [ids],
  );
  return rows.map(({ status }) => status);
}

test.each(SHORT)(
  '%s',
  async (name) => {
    const fault = FAULTS.find((candidate) => candidate.name === name);
    if (!fault) throw new Error(`no fault "${name}"`);
    await fault.inject({ world, random, single: true });
    await recovery(world);
  },
  2 * MINUTE,
);

test.each([
  ['unreachable', () => world.nodes.forEach(({ redis }) => redis.refuse())],
  ['hanging', () => world.nodes.forEach(({ redis }) => redis.blackhole())],
])(
  'Redis %s: triggers answer 200 in time, and every call is dialed after it is back',
  async (_, begin) => {
    const most = 2_000 + (await busyMs());
    begin();
    try {
      const answers = await triggerSome(4);
      for (const { status, ms } of answers) {
        expect(status).toBe(200);
        expect(ms).toBeLessThan(most);
      }
      const readiness = await unready();
      expect(readiness.checks).toMatchObject({
        database: 'ok',
        redis: expect.not.stringMatching(/^ok$/) as string,
      });
      for (const { redis } of world.nodes) redis.heal();
      await eventually(
        () => statusesOf(answers.map(({ callRequestId }) => callRequestId)),
        (statuses) => statuses.length === 4 && statuses.every((status) => status === 'completed'),
        40_000,
      );
      // It may answer with the state of a second ago.
      await eventually(
        () => world.client.readiness(),
        ({ status }) => status === 200,
      );
    } finally {
      for (const { redis } of world.nodes) redis.heal();
    }
  },
  2 * MINUTE,
);

test.each([
  ['unreachable', 4_000, () => world.nodes.forEach(({ postgres }) => postgres.refuse())],
  ['hanging', 12_000, () => world.nodes.forEach(({ postgres }) => postgres.blackhole())],
])(
  'Postgres %s: answers as designed in time, and recovery without a restart',
  async (_, mostMs, begin) => {
    const { api } = world;
    const most = mostMs + (await busyMs());
    begin();
    try {
      const [call] = await triggerSome(1);
      expect(call).toMatchObject({ status: 500, reason: 'SERVICE_UNAVAILABLE' });
      expect(call?.ms).toBeLessThan(most);
      const startedAt = performance.now();
      expect(await world.client.addToDoNotCall(free(), [world.numbers.next()])).toBe(503);
      expect(performance.now() - startedAt).toBeLessThan(most);
      const readiness = await unready();
      expect(readiness.checks).toMatchObject({
        database: expect.not.stringMatching(/^ok$/) as string,
        redis: 'ok',
      });
    } finally {
      for (const { postgres } of world.nodes) postgres.heal();
    }
    const answers = await eventually(
      () => triggerSome(1),
      ([answer]) => answer?.status === 200,
    );
    await eventually(
      () => statusesOf(answers.map(({ callRequestId }) => callRequestId)),
      ([status]) => status === 'completed',
      20_000,
    );
    expect(api.program.running).toBe(true);
  },
  2 * MINUTE,
);

test(
  'no requested or dialed call is lost or wrong',
  async () => {
    traffic.stop();
    campaigns.stop();
    await placing;
    const history = await playOut(world, campaigns, 100_000);
    expect(checkHistory(history)).toEqual([]);
    expect(history.dials.length).toBeGreaterThan(50);
    expect(history.campaigns.dials.length).toBeGreaterThan(20);
    expect(history.webhooks?.requests.length).toBeGreaterThan(100);
  },
  5 * MINUTE,
);
