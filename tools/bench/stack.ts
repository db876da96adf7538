import { join } from 'node:path';
import { type Redis } from 'ioredis';
import { type Pool } from 'pg';
import { migrate } from '../../src/database/migrate.js';
import { type Servers, startServers } from '../builds/servers.js';
import { Program } from '../faults/program.js';
import { repositoryRoot } from '../services/paths.js';
import { freePort } from '../services/ports.js';
import { callsOfBuild, MEASURED } from './calls-of-build.js';
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
  private closing: Promise<void> | undefined;
  private readonly dist = join(repositoryRoot(), 'dist');

  private constructor(private readonly servers: Servers) {
    this.disposals.push(() => servers.close());
  }

  static async start(): Promise<Stack> {
    const stack = new Stack(await startServers('bench'));
    await migrate(stack.databaseUrl);
    return stack;
  }

  get directory(): string {
    return this.servers.directory;
  }

  get databaseUrl(): string {
    return this.servers.databaseUrl;
  }

  get redisUrl(): string {
    return this.servers.redisUrl;
  }

  get db(): Pool {
    return this.servers.db;
  }

  get redis(): Redis {
    return this.servers.redis;
  }

  /** A signal may come while it closes: the process ends only after everything has. */
  close(): Promise<void> {
    this.closing ??= this.dispose();
    return this.closing;
  }

  /** An API process with everything on that production has. */
  startApi(env: NodeJS.ProcessEnv = {}): Promise<Measured> {
    return this.startProgram('src/main', 'PORT', '/health/ready', env);
  }

  startWorker(env: NodeJS.ProcessEnv = {}): Promise<Measured> {
    return this.startProgram('src/worker', 'WORKER_PORT', '/health/ready', env);
  }

  /** @param portName the environment variable of its port. */
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
      postgres: cpuOf(this.servers.postgresPid, true),
      redis: cpuOf(this.servers.redisPid),
    };
  }

  /** Between two measurements: no calls but those that were there, no jobs, no dead rows. */
  async clean(): Promise<void> {
    await this.db.query(`DELETE FROM call_requests WHERE ${MEASURED}`);
    const { beside } = await callsOfBuild(this.db);
    for (const table of beside) await this.db.query(`TRUNCATE ${table}`);
    await this.db.query('DELETE FROM enrollments');
    await this.db.query('DELETE FROM idempotency_keys');
    await this.db.query('UPDATE plan_usage SET used = 0');
    for (const table of ['call_requests', 'enrollments', 'plan_usage', 'contacts']) {
      await this.db.query(`VACUUM ANALYZE ${table}`);
    }
    await this.db.query('CHECKPOINT');
    await this.redis.flushall();
  }

  private async dispose(): Promise<void> {
    for (const dispose of this.disposals.reverse()) await dispose().catch(() => undefined);
  }

  private environment(): NodeJS.ProcessEnv {
    return {
      NODE_ENV: 'production',
      DATABASE_URL: this.databaseUrl,
      REDIS_URL: this.redisUrl,
      REDIS_PREFIX,
      OPERATOR_TOKEN: 'operator-token-of-the-benchmark',
      CARRIER: 'simulator',
      // The rate limit checks every request, and never refuses one.
      API_RATE_LIMIT: '100000',
      SIMULATOR_ACCEPT_MS: '0',
      SIMULATOR_RING_MS: '0',
      SIMULATOR_TALK_MS: '0',
    };
  }
}
