import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { Program } from '../faults/program.js';
import { freePort } from '../services/ports.js';
import { mustRun } from '../services/run.js';
import { type Build } from './built-commit.js';
import { type Servers } from './servers.js';

export const OPERATOR_TOKEN = 'q7Zr2-operator-token-of-a-measurement';

/**
 * A build at work: an API, a worker, and a database with the build's own schema. Builds share the servers,
 * and are used only through their programs, their environment and HTTP, as older ones know no other way.
 */
export class Deployment {
  private constructor(
    readonly label: string,
    readonly url: string,
    readonly workerUrl: string,
    readonly databaseUrl: string,
    readonly db: Pool,
    readonly api: Program,
    readonly worker: Program,
  ) {}

  /**
   * @param name of its database and of its keys in Redis.
   * @param env of both processes; a build ignores the variables that it does not know.
   * @param programs which of the two processes to start; the others can be started later.
   */
  static async start(
    servers: Servers,
    build: Build,
    name: string,
    env: NodeJS.ProcessEnv = {},
    programs: ('api' | 'worker')[] = ['api', 'worker'],
  ): Promise<Deployment> {
    const databaseUrl = await servers.createDatabase(name);
    const migrations = ['tools', 'migrate.js'];
    await mustRun(process.execPath, [join(build.dist, ...migrations)], {
      env: { DATABASE_URL: databaseUrl },
    });
    const deployment = await Deployment.prepare(servers, build, name, databaseUrl, env);
    try {
      await Promise.all(programs.map((program) => deployment[program].start()));
    } catch (error) {
      await deployment.close();
      throw error;
    }
    return deployment;
  }

  /**
   * On a database that is there, for example beside another build; nothing is started.
   * @param name as of {@link start}.
   */
  static async prepare(
    servers: Servers,
    build: Build,
    name: string,
    databaseUrl: string,
    env: NodeJS.ProcessEnv = {},
  ): Promise<Deployment> {
    const [port, workerPort] = [await freePort(), await freePort()];
    const [url, workerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${workerPort}`];
    const programOf = (entry: string, at: string) =>
      new Program({
        dist: build.dist,
        entry,
        env: {
          NODE_ENV: 'production',
          DATABASE_URL: databaseUrl,
          REDIS_URL: servers.redisUrl,
          REDIS_PREFIX: `{${name}}`,
          OPERATOR_TOKEN,
          CARRIER: 'simulator',
          PORT: String(port),
          WORKER_PORT: String(workerPort),
          ...env,
        },
        logFile: join(servers.directory, 'logs', `${name}-${entry.replaceAll('/', '-')}.log`),
        readyUrl: `${at}/health/ready`,
      });
    const api = programOf('src/main', url);
    const worker = programOf('src/worker', workerUrl);
    const db = new Pool({ connectionString: databaseUrl, max: 4 });
    db.on('error', () => undefined);
    return new Deployment(build.label, url, workerUrl, databaseUrl, db, api, worker);
  }

  async close(): Promise<void> {
    await Promise.all([this.api.kill(), this.worker.kill(), this.db.end().catch(() => undefined)]);
  }
}

/** The most memory that a process has held so far, in megabytes; NaN where the system does not say. */
export function peakMemoryOf(program: Program): number {
  return memoryOf(program, 'VmHWM');
}

/** What it holds now, in megabytes. */
export function residentMemoryOf(program: Program): number {
  return memoryOf(program, 'VmRSS');
}

function memoryOf({ pid }: Program, field: 'VmHWM' | 'VmRSS'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  } catch {
    return NaN;
  }
}
