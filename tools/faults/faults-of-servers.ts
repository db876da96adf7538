import { pause } from '../services/run.js';
import { anyWorker, type Fault, type FaultContext } from './fault.js';
import { type TcpProxy } from './tcp-proxy.js';

type Server = 'postgres' | 'redis';

function proxiesOf({ world }: FaultContext, server: Server): TcpProxy[] {
  return world.nodes.map((node) => node[server]);
}

/** Something about the way to a server, for a while. */
function onTheWay(
  name: string,
  server: Server,
  begin: (proxy: TcpProxy) => void,
  end?: (proxy: TcpProxy) => void,
): Fault {
  return {
    name,
    kind: 'servers',
    inject: async (context) => {
      const proxies = proxiesOf(context, server);
      try {
        for (const proxy of proxies) begin(proxy);
        await pause(context.random.between(2_000, 4_000));
        if (end) for (const proxy of proxies) end(proxy);
      } finally {
        for (const proxy of proxies) proxy.heal();
      }
    },
  };
}

export const FAULTS_OF_SERVERS: Fault[] = [
  {
    name: 'Redis killed without AOF',
    kind: 'servers',
    inject: async ({ world, random }) => {
      await world.redis.kill();
      await pause(random.between(0, 3_000));
      await world.redis.start();
    },
  },
  {
    name: 'Redis flushed',
    kind: 'servers',
    inject: async ({ world }) => {
      await world.redis.run((redis) => redis.flushall());
    },
  },
  {
    name: 'Redis out of memory',
    kind: 'servers',
    inject: async ({ world }) => {
      await world.redis.run((redis) => redis.config('SET', 'maxmemory', '1'));
      await pause(3_000);
      await world.redis.run((redis) => redis.config('SET', 'maxmemory', '0'));
    },
  },
  onTheWay('Redis unreachable', 'redis', (proxy) => proxy.refuse()),
  onTheWay('Redis hanging', 'redis', (proxy) => proxy.blackhole()),
  onTheWay(
    'Redis hanging, then its connections gone without a word',
    'redis',
    (proxy) => proxy.blackhole(),
    (proxy) => proxy.abandon(),
  ),
  onTheWay('Redis slow', 'redis', (proxy) => (proxy.delayMs = 300)),
  onTheWay('Redis connections reset', 'redis', (proxy) => proxy.cut()),
  {
    name: 'Postgres restarted',
    kind: 'servers',
    inject: ({ world }) => world.postgres.restart(),
  },
  onTheWay('Postgres unreachable', 'postgres', (proxy) => proxy.refuse()),
  onTheWay('Postgres hanging', 'postgres', (proxy) => proxy.blackhole()),
  onTheWay(
    'Postgres hanging, then its connections gone without a word',
    'postgres',
    (proxy) => proxy.blackhole(),
    (proxy) => proxy.abandon(),
  ),
  onTheWay('Postgres slow', 'postgres', (proxy) => (proxy.delayMs = 150)),
  onTheWay('Postgres connections reset', 'postgres', (proxy) => proxy.cut()),
  {
    name: 'Postgres crashed in the middle of a commit',
    kind: 'servers',
    inject: async (context) => {
      const { world, random } = context;
      const crash = await world.postgres.victim();
      await anyWorker(context).postgres.atNext('claim committing', () => {
        setTimeout(crash, random.between(0, 3));
      });
      await pause(200);
      await world.postgres.recovered();
    },
  },
  {
    name: 'Postgres stopped as by a power cut',
    kind: 'servers',
    inject: async (context) => {
      const { world } = context;
      let stopped: Promise<void> = Promise.resolve();
      await anyWorker(context).postgres.atNext('claim committing', () => {
        stopped = world.postgres.stopImmediately();
      });
      await stopped;
      await world.postgres.start();
    },
  },
];
