import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Redis } from 'ioredis';
import { defaultCacheDir } from '../services/paths.js';
import { freePort } from '../services/ports.js';
import { withRedis } from '../services/redis.js';
import { type RedisBinary, redisBinary } from '../services/redis-binary.js';
import { pause } from '../services/run.js';

const START_TIMEOUT_MS = 10_000;

/** A Redis of the harness's own that writes nothing down: a kill empties it. */
export class PrivateRedis {
  private child: ChildProcess | null = null;

  private constructor(
    private readonly binary: RedisBinary,
    readonly port: number,
  ) {}

  static async start(): Promise<PrivateRedis> {
    const binary = await redisBinary({}, defaultCacheDir());
    if (binary.wrapper) throw new Error('The fault harness needs a redis-server on this machine');
    const redis = new PrivateRedis(binary, await freePort());
    await redis.start();
    return redis;
  }

  /** @param port of a proxy before it, or its own. */
  url(port = this.port): string {
    return `redis://127.0.0.1:${port}`;
  }

  async start(): Promise<void> {
    const args = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.child = spawn(this.binary.path, [...args, '--maxmemory-policy', 'noeviction'], {
      cwd: '/',
      env: { ...process.env, ...this.binary.env },
      stdio: 'ignore',
    });
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      try {
        await this.run((redis) => redis.ping());
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await pause(20);
      }
    }
  }

  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  run<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    return withRedis(this.url(), work);
  }
}
