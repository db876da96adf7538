import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DialRecord } from '../../src/carriers/simulator/dial-log.js';
import { freePort } from '../../tools/services/ports.js';
import {
  buildIfNeeded,
  type RunningProcess,
  startProgram,
  waitForReady,
} from '../../tools/stack/processes.js';
import { OPERATOR_TOKEN, type World } from './app.js';

/** A real process of Outdial, and where it answers. */
export interface Running extends RunningProcess {
  url: string;
  /** What it wrote, both streams. */
  output: () => string;
}

/** Real API and worker processes on a world's database and prefix, with one dial log for all of them. */
export class RealProcesses {
  private readonly directory = mkdtempSync(join(tmpdir(), 'outdial-processes-'));
  private readonly running: Running[] = [];

  private constructor(private readonly world: World) {}

  /** Builds first, if the sources are newer than the build. */
  static async of(world: World): Promise<RealProcesses> {
    await buildIfNeeded();
    return new RealProcesses(world);
  }

  /** @param env replaces single variables. */
  async start(kind: 'api' | 'worker', env: NodeJS.ProcessEnv = {}): Promise<Running> {
    const running = await this.begin(kind, env);
    const asking = new AbortController();
    const ready = waitForReady(`${running.url}/health/ready`, 60_000, asking.signal);
    const ended = running.ended.then(({ code }) => {
      throw new Error(`The ${kind} ended with ${code}:\n${running.output()}`);
    });
    try {
      await Promise.race([ready, ended]);
    } finally {
      asking.abort();
    }
    return running;
  }

  /** The same, without waiting until it is ready. Where `HOST` is set, the process answers there. */
  async begin(kind: 'api' | 'worker', env: NodeJS.ProcessEnv = {}): Promise<Running> {
    const port = String(await freePort());
    const { databaseUrl, redisUrl, redisPrefix } = this.world.config;
    const program = startProgram(kind, kind === 'api' ? 'src/main' : 'src/worker', {
      stdio: 'pipe',
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        PORT: port,
        WORKER_PORT: port,
        DATABASE_URL: databaseUrl,
        REDIS_URL: redisUrl,
        REDIS_PREFIX: redisPrefix,
        OPERATOR_TOKEN,
        CARRIER: 'simulator',
        SIMULATOR_DIAL_LOG: this.dialLog,
        API_RATE_LIMIT: '0',
        SIMULATOR_ACCEPT_MS: '5',
        SIMULATOR_RING_MS: '5',
        SIMULATOR_TALK_MS: '5',
        ...env,
      },
    });
    let output = '';
    for (const stream of [program.child.stdout, program.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    const host = env.HOST?.includes(':') ? `[${env.HOST}]` : (env.HOST ?? '127.0.0.1');
    const running = { ...program, url: `http://${host}:${port}`, output: () => output };
    this.running.push(running);
    return running;
  }

  /** Every dial that the simulated carriers received. */
  dials(): DialRecord[] {
    const lines = readFileSync(this.dialLog, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as DialRecord);
  }

  /** What each process of a kind wrote. */
  outputsOf(kind: 'api' | 'worker'): string[] {
    return this.running.filter(({ name }) => name === kind).map(({ output }) => output());
  }

  /** Kills what still runs. */
  async close(): Promise<void> {
    for (const { child } of this.running) child.kill('SIGKILL');
    await Promise.all(this.running.map(({ ended }) => ended));
    rmSync(this.directory, { recursive: true, force: true });
  }

  private get dialLog(): string {
    return join(this.directory, 'dials.jsonl');
  }
}
