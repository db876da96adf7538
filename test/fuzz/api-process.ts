import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Configuration } from '../../src/configuration.js';
import { freePort } from '../../tools/services/ports.js';
import { waitForReady } from '../../tools/stack/processes.js';
import { CALLBACK_TOKEN, METRICS_TOKEN } from '../openapi/prober.js';

/** The API as it is deployed, in a process of its own: what it does not survive, ends it. */
export class ApiProcess {
  private readonly output: string[] = [];

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => this.output.push(chunk.toString()));
    }
  }

  /** @param dist where the built programs are. */
  static async start(dist: string, config: Configuration): Promise<ApiProcess> {
    const { databaseUrl, redisUrl, redisPrefix, operatorToken } = config;
    const port = await freePort();
    const child = fork(join(dist, 'src/main.js'), {
      execArgv: ['--expose-gc', '--require', join(__dirname, 'heap-probe.cjs')],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH: process.env.PATH,
        TZ: 'UTC',
        NODE_ENV: 'production',
        LOG_LEVEL: 'error',
        DATABASE_URL: databaseUrl,
        REDIS_URL: redisUrl,
        REDIS_PREFIX: redisPrefix,
        ERASURE_KEY: 'an-erasure-key-of-the-tests',
        SECRETS_KEY: 'a-secrets-key-of-the-tests',
        OPERATOR_TOKEN: operatorToken,
        CARRIER: 'simulator',
        API_RATE_LIMIT: '0',
        PORT: String(port),
        SIMULATOR_CALLBACK_TOKEN: CALLBACK_TOKEN,
        METRICS_TOKEN,
      },
    });
    const api = new ApiProcess(child, port);
    try {
      await waitForReady(`http://127.0.0.1:${port}/health/ready`, 20_000);
    } catch (error) {
      child.kill('SIGKILL');
      throw new Error(`the API did not start: ${api.log()}`, { cause: error });
    }
    return api;
  }

  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The end of what it has logged, which is errors alone. */
  log(): string {
    return this.output.join('').slice(-4_000);
  }

  /** Bytes in use after a garbage collection. */
  async heap(): Promise<number> {
    const answer = once(this.child, 'message') as Promise<[number]>;
    this.child.send('heap');
    const [bytes] = await answer;
    return bytes;
  }

  async stop(): Promise<void> {
    if (!this.alive) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}
