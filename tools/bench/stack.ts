import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { migrate } from '../../src/database/migrate.js';
import { Program } from '../faults/program.js';
import { ensureServices } from '../services/ensure.js';
import { defaultCacheDir, repositoryRoot } from '../services/paths.js';
import { freePort } from '../services/ports.js';
import { cpuOf } from './cpu.js';

export const REDIS_PREFIX = '{outdial-bench}';

/** A program under measurement. */
export interface Measured {
  url: string;
  program: Program;
  stop(): Promise<void>;
}

/** CPU by process, in microseconds. */
export type Cpu = Record<'node' | 'postgres' | 'redis', number>;

/** Servers of the benchmark's own, as `npm run services` starts them, and the programs that work on them. */
export class Stack {
  private readonly disposals: (() => Promise<unknown>)[] = [];
  private readonly dist = join(repositoryRoot(), 'dist');

  private constructor(
    readonly directory: string,
    readonly databaseUrl: string,
    readonly redisUrl: string,
    readonly db: Pool,
    readonly redis: Redis,
    private readonly postgresPid: number,
    private readonly redisPid: number,
  ) {}

  static async start(): Promise<Stack> {
    const directory = await mkdtemp(join(tmpdir(), 'outdial-bench-'));
    await chmod(directory, 0o711);
    const services = await ensureServices({
      dataDir: join(directory, 'services'),
      cacheDir: defaultCacheDir(),
      env: {},
    });
    await migrate(services.databaseUrl);
    const db = new Pool({ connectionString: services.databaseUrl, max: 4 });
    db.on('error', () => undefined);
    const redis = new Redis(services.redisUrl, { maxRetriesPerRequest: null });
    redis.on('error', () => undefined);
    const pidFile = await readFile(join(directory, 'services', 'postgres', 'postmaster.pid'), 'utf8');
    const server = await redis.info('server');
    const stack = new Stack(
      directory,
      services.databaseUrl,
      services.redisUrl,
      db,
      redis,
      Number(pidFile.split('\n')[0]),
      Number(/process_id:(\d+)/.exec(server)?.[1]),
    );
    stack.disposals.push(
      () => rm(directory, { recursive: true, force: true }),
      () => services.stop(),
      () => db.end(),
      () => Promise.resolve(redis.disconnect()),
    );
    await mkdir(join(directory, 'logs'));
    return stack;
  }

  async close(): Promise<void> {
    for (const dispose of this.disposals.splice(0).reverse()) await dispose().catch(() => undefined);
  }

  /** An API process with everything on that production has. */
  startApi(env: NodeJS.ProcessEnv = {}): Promise<Measured> {
    return this.startProgram('src/main', 'PORT', '/health/ready', env);
  }

  startWorker(env: NodeJS.ProcessEnv = {}): Promise<Measured> {
    return this.startProgram('src/worker', 'WORKER_PORT', '/health/ready', env);
  }

  /** @param portName the variable by which it is told its port. */
  async startProgram(
    entry: string,
    portName: string,
    readyPath: string,
    env: NodeJS.ProcessEnv = {},
  ): Promise<Measured> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const program = new Program({
      dist: this.dist,
      entry,
      env: { ...this.environment(), [portName]: String(port), ...env },
      logFile: join(this.directory, 'logs', `${entry.replaceAll('/', '-')}-${port}.log`),
      readyUrl: url + readyPath,
    });
    this.disposals.push(() => program.kill());
    await program.start();
    return { url, program, stop: async () => void (await program.terminate()) };
  }

  /** What every process of this stack has used so far. */
  cpu(node: number[]): Cpu {
    return {
      node: node.reduce((sum, pid) => sum + cpuOf(pid), 0),
      postgres: cpuOf(this.postgresPid, true),
      redis: cpuOf(this.redisPid),
    };
  }

  /** Between two measurements: no calls but those that were there, no jobs, no dead rows. */
  async clean(): Promise<void> {
    await this.db.query(`DELETE FROM call_requests WHERE variables ? 'bench'`);
    await this.db.query('DELETE FROM enrollments');
    await this.db.query('DELETE FROM idempotency_keys');
    await this.db.query('UPDATE plan_usage SET used = 0');
    for (const table of ['call_requests', 'enrollments', 'plan_usage', 'contacts']) {
      await this.db.query(`VACUUM ANALYZE ${table}`);
    }
    await this.db.query('CHECKPOINT');
    await this.redis.flushall();
  }

  private environment(): NodeJS.ProcessEnv {
    return {
      NODE_ENV: 'production',
      DATABASE_URL: this.databaseUrl,
      REDIS_URL: this.redisUrl,
      REDIS_PREFIX,
      OPERATOR_TOKEN: 'operator-token-of-the-benchmark',
      CARRIER: 'simulator',
      // On, and judging every request, but never in the way.
      API_RATE_LIMIT: '100000',
      SIMULATOR_ACCEPT_MS: '0',
      SIMULATOR_RING_MS: '0',
      SIMULATOR_TALK_MS: '0',
    };
  }
}
