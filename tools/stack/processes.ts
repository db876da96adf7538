import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from '../services/paths.js';
import { pause } from '../services/run.js';

// Longer than a worker needs to finish the calls that it is dialing.
const STOP_TIMEOUT_MS = 30_000;

/** How a process ended: its exit code, or 128 and the number of the signal as shells have it. */
export interface ProcessEnd {
  name: string;
  code: number;
}

/** A child that runs one of the built programs. */
export interface RunningProcess {
  name: string;
  child: ChildProcess;
  ended: Promise<ProcessEnd>;
  /** Asks it to end, insists after half a minute, and resolves when it is gone. */
  stop(): Promise<ProcessEnd>;
}

/** The two processes of Outdial. */
export interface Processes {
  api: RunningProcess;
  worker: RunningProcess;
  /** The first of them to end. */
  firstEnd: Promise<ProcessEnd>;
  stop(): Promise<ProcessEnd[]>;
}

/**
 * Node's options for programs that stay. Both are set on the command line.
 *
 * - V8's memory reducer discards compiled code while nothing happens. After a quiet minute, a process is
 *   therefore half as fast for some seconds.
 * - V8 has four threads of its own by default. On a machine with two cores, they keep Postgres and the event
 *   loop waiting, and a collection waits for each of them. So it has one.
 */
export const NODE_OPTIONS = ['--no-memory-reducer', '--v8-pool-size=1'];

/** How programs are started. */
export interface ProcessOptions {
  env: NodeJS.ProcessEnv;
  stdio?: 'inherit' | 'ignore' | 'pipe';
}

const SIGNAL_NUMBERS: Partial<Record<NodeJS.Signals, number>> = { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

/** Builds `dist/` unless it is up to date; throws when the sources do not compile. */
export async function buildIfNeeded(): Promise<void> {
  const child = spawn(process.execPath, [join(repositoryRoot(), 'tools', 'bootstrap.cjs')], {
    stdio: ['ignore', 2, 2],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error('The build failed.');
}

/** Starts a built program such as `src/main` with an environment of its own. */
export function startProgram(
  name: string,
  entry: string,
  options: ProcessOptions,
  argv: string[] = [],
): RunningProcess {
  const output = options.stdio ?? 'inherit';
  const file = join(repositoryRoot(), 'dist', `${entry}.js`);
  const child = spawn(process.execPath, [...NODE_OPTIONS, file, ...argv], {
    cwd: repositoryRoot(),
    env: { ...options.env, TZ: 'UTC' },
    stdio: ['ignore', output, output],
    // Ctrl-C reaches a terminal's whole process group; only we tell the children, and once.
    detached: true,
  });
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('error', () => resolve({ name, code: 1 }));
    child.once('exit', (code, signal) => {
      resolve({ name, code: code ?? 128 + (SIGNAL_NUMBERS[signal ?? 'SIGTERM'] ?? 0) });
    });
  });
  return {
    name,
    child,
    ended,
    stop: async () => {
      child.kill('SIGTERM');
      const insist = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      const end = await ended;
      clearTimeout(insist);
      return end;
    },
  };
}

/** Brings the schema of `env.DATABASE_URL` up to date; throws when that fails. */
export async function runMigrations(options: ProcessOptions): Promise<void> {
  const { code } = await startProgram('migrations', 'tools/migrate', options).ended;
  if (code !== 0) throw new Error('The migrations failed.');
}

/** Starts API and worker; `env` holds their whole configuration. */
export function startProcesses(options: ProcessOptions): Processes {
  const api = startProgram('API', 'src/main', options);
  const worker = startProgram('worker', 'src/worker', options);
  return {
    api,
    worker,
    firstEnd: Promise.race([api.ended, worker.ended]),
    stop: () => Promise.all([api.stop(), worker.stop()]),
  };
}

/** Waits until a readiness probe answers 200; throws with what it said last. */
export async function waitForReady(url: string, timeoutMs: number, signal?: AbortSignal): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let last = 'no answer';
  while (Date.now() < deadline && !signal?.aborted) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      last = `${response.status} ${await response.text()}`;
      if (response.ok) return;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await pause(100);
  }
  throw new Error(`${url} was not ready within ${timeoutMs / 1_000} seconds; the last answer: ${last}`);
}
