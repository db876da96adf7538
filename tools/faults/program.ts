import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { waitForReady } from '../stack/processes.js';

const TERM_TIMEOUT_MS = 40_000;
/** For a machine that is busy with other things as well. */
const START_TIMEOUT_MS = 90_000;

export interface ProgramOptions {
  /** The directory with the built programs. */
  dist: string;
  /** Such as `src/worker`. */
  entry: string;
  env: NodeJS.ProcessEnv;
  logFile: string;
  /** Answers 200 once the program is up. */
  readyUrl: string;
}

/** Node's options with which a build starts its own programs. An older build may have none. */
function optionsOf(dist: string): string[] {
  const stack = join(dist, 'tools', 'stack', 'processes.js');
  if (!existsSync(stack)) return [];
  const { NODE_OPTIONS = [] } = createRequire(__filename)(stack) as { NODE_OPTIONS?: string[] };
  return NODE_OPTIONS;
}

/** One of Outdial's processes, to be started, stopped and killed at will. */
export class Program {
  /** Exit codes, or signals, of ends that no fault asked for, after the program was up. */
  readonly crashes: (number | NodeJS.Signals)[] = [];
  private child: ChildProcess | null = null;
  private frozen = false;
  private isUp = false;

  constructor(private readonly options: ProgramOptions) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Answers whenever the program runs its event loop. */
  get liveUrl(): string {
    return new URL('/health/live', this.options.readyUrl).toString();
  }

  get running(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  get atWork(): boolean {
    return this.running && !this.frozen;
  }

  /** @param nodeOptions such as a module to require first. */
  async start(nodeOptions: string[] = []): Promise<void> {
    this.spawn(nodeOptions);
    await waitForReady(this.options.readyUrl, START_TIMEOUT_MS);
    this.isUp = true;
  }

  /** Starts without waiting: what it needs may not be there. */
  spawn(nodeOptions: string[] = []): void {
    const { dist, entry, env, logFile } = this.options;
    const log = openSync(logFile, 'a');
    this.child = spawn(process.execPath, [...optionsOf(dist), ...nodeOptions, join(dist, `${entry}.js`)], {
      env: { PATH: process.env.PATH, TZ: 'UTC', ...env },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.isUp = false;
    // Only faults send SIGKILL, and a program that is told to end is not up any more. Node out of memory ends
    // by SIGABRT.
    this.child.once('exit', (code, signal) => {
      const end = signal ?? code;
      if (this.isUp && end !== null && end !== 0 && end !== 'SIGKILL') this.crashes.push(end);
      this.isUp = false;
    });
  }

  /** SIGSTOP: the process stands still, its connections stay. */
  freeze(): void {
    this.frozen = true;
    this.child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.frozen = false;
    this.child?.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child === null || !this.running) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** SIGTERM. @returns the exit code; null when it had to be killed after all. */
  async terminate(): Promise<number | null> {
    const { child } = this;
    if (child === null || !this.running) return null;
    this.isUp = false;
    const insist = setTimeout(() => child.kill('SIGKILL'), TERM_TIMEOUT_MS);
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    clearTimeout(insist);
    return code;
  }
}
