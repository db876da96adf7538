import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { serverAccount } from '../../tools/services/account.js';
import { defaultCacheDir, defaultDataDir } from '../../tools/services/paths.js';
import { freePort } from '../../tools/services/ports.js';
import { redisBinary } from '../../tools/services/redis-binary.js';
import { eventually } from './eventually.js';

const HASH_SLOTS = 16_384;
const NODES = 3;
/** Nodes talk to each other on a port that much higher. */
const BUS_OFFSET = 10_000;
const PASSWORD = 'password-of-the-cluster';

/** Three real masters without replicas, which share the hash slots. */
export interface RedisCluster {
  /** Of the first node. */
  url: string;
  nodes: Redis[];
  /** Ends the node that a key belongs to. */
  killOwnerOf(key: string): Promise<void>;
  close(): Promise<void>;
}

/** Null where the Redis of this machine is not a program to start, but a container. */
export async function startRedisCluster(): Promise<RedisCluster | null> {
  const account = await serverAccount(join(defaultDataDir(), 'postgres'));
  const binary = await redisBinary(account, defaultCacheDir());
  if (binary.wrapper) return null;
  const directory = mkdtempSync(join(tmpdir(), 'outdial-cluster-'));
  const servers: ChildProcess[] = [];
  const nodes: Redis[] = [];
  const close = async () => {
    for (const node of nodes) node.disconnect();
    for (const server of servers) {
      if (server.exitCode !== null || server.signalCode !== null) continue;
      server.kill('SIGKILL');
      await once(server, 'exit');
    }
    rmSync(directory, { recursive: true });
  };
  try {
    const ports: number[] = [];
    for (let n = 0; n < NODES; n += 1) {
      const port = await portWithBus();
      const settings = {
        port: String(port),
        bind: '127.0.0.1',
        'cluster-enabled': 'yes',
        'cluster-config-file': `${port}.conf`,
        'maxmemory-policy': 'noeviction',
        requirepass: PASSWORD,
        save: '',
        appendonly: 'no',
        dir: directory,
      };
      const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
      servers.push(spawn(binary.path, args, { env: { ...process.env, ...binary.env }, stdio: 'ignore' }));
      nodes.push(new Redis({ port, host: '127.0.0.1', password: PASSWORD }).on('error', () => undefined));
      ports.push(port);
    }
    await join3(nodes, ports);
    return {
      url: `redis://:${PASSWORD}@127.0.0.1:${ports[0]}`,
      nodes,
      async killOwnerOf(key) {
        const slot = await nodes[0]!.cluster('KEYSLOT', key);
        servers[Math.floor((slot * NODES) / HASH_SLOTS)]!.kill('SIGKILL');
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function join3(nodes: Redis[], ports: number[]): Promise<void> {
  for (const [n, node] of nodes.entries()) {
    const [first, end] = [Math.ceil((n * HASH_SLOTS) / NODES), Math.ceil(((n + 1) * HASH_SLOTS) / NODES)];
    await node.cluster('ADDSLOTS', ...Array.from({ length: end - first }, (_, slot) => first + slot));
    if (n > 0) await node.cluster('MEET', '127.0.0.1', ports[0]!);
  }
  const ready = async () => {
    const infos = await Promise.all(nodes.map((node) => node.cluster('INFO')));
    return infos.every((info) => info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3'));
  };
  await eventually(ready, (ok) => ok);
}

async function portWithBus(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (port + BUS_OFFSET < 65_536 && (await freePort(port + BUS_OFFSET)) === port + BUS_OFFSET) return port;
  }
}
