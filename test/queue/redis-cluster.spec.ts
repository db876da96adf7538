import { Calling, NEVER_MS } from '../support/calling.js';
import { buildCaller, hoursOpeningIn } from '../support/call-builders.js';
import { nextNumber } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { type RedisCluster, startRedisCluster } from '../support/redis-cluster.js';
import { HealthService } from '../../src/operations/health.service.js';

let cluster: RedisCluster | null;
let calling: Calling | undefined;

beforeAll(async () => {
  cluster = await startRedisCluster();
  if (cluster === null) {
    process.stderr.write('Redis Cluster is not tested: there is no redis-server here but in a container\n');
    return;
  }
  calling = await Calling.start({ redisUrl: cluster.url, redisCluster: true, apiRateLimit: 20 });
  // Without a sweeper: what is dialed was woken by the queue.
  await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
});

afterAll(async () => {
  await calling?.close();
  await cluster?.close();
});

/** The work of a test, where there is a cluster to do it on. */
function onCluster(work: (calling: Calling, cluster: RedisCluster) => Promise<void>): () => Promise<void> {
  return async () => {
    if (calling && cluster) await work(calling, cluster);
  };
}

test(
  'calls are woken, dialed once, scheduled and canceled in a cluster of three nodes',
  onCluster(async (calling, cluster) => {
    const caller = await buildCaller(calling.db);
    const ids: string[] = [];
    for (let n = 0; n < 10; n += 1) ids.push(await calling.accepted(caller, { phoneNumber: nextNumber() }));
    for (const id of ids) await calling.until(caller, id, 'completed');
    expect(calling.dials()).toHaveLength(ids.length);

    const closed = await buildCaller(calling.db, {}, hoursOpeningIn(3));
    const id = await calling.accepted(closed, { phoneNumber: nextNumber() });
    expect(await calling.queue.getDelayedCount()).toBe(1);
    await calling.cancel(closed, id).expect(200);
    expect(await calling.queue.getDelayedCount()).toBe(0);

    // The braces of the prefix keep all keys on one node, as BullMQ's scripts need.
    const sizes = await Promise.all(cluster.nodes.map((node) => node.dbsize()));
    expect(sizes.filter((size) => size > 0)).toHaveLength(1);
  }),
);

test(
  'readiness and the rate limit work in a cluster',
  onCluster(async (calling) => {
    // On a busy machine, the database may not answer the first probe in time.
    const { checks } = await eventually(
      () => calling.api.get(HealthService).readiness(),
      ({ ready }) => ready,
    );
    expect(checks).toMatchObject({ redis: 'ok', redisEvictionPolicy: 'ok' });
    const caller = await buildCaller(calling.db);
    calling.world.config.apiRateLimit = 1;
    // Again after a moment in which Redis was too slow to answer.
    await eventually(
      async () => {
        const answers = await Promise.all(
          Array.from({ length: 40 }, () => calling.get(caller, '00000000-0000-4000-8000-000000000000')),
        );
        return answers.filter(({ status }) => status === 429).length;
      },
      (refused) => refused > 10,
    );
    calling.world.config.apiRateLimit = 20;
  }),
);

test(
  'a trigger answers 200 if the node of its keys is gone',
  onCluster(async (calling, cluster) => {
    const caller = await buildCaller(calling.db);
    await cluster.killOwnerOf(`${calling.world.config.redisPrefix}:calls`);
    const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
    expect(await calling.row(id)).toMatchObject({ status: 'queued' });
    await eventually(
      () => calling.api.get(HealthService).readiness(),
      ({ ready }) => !ready,
    );
  }),
);
