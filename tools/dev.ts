/**
 * `npm run dev`: services, API and worker in one command, with the simulator as carrier unless `CARRIER` says
 * otherwise. After each change of the sources it builds, migrates, and starts the processes again. While the sources
 * do not compile, the processes run on. Ends on SIGTERM or SIGINT.
 */
import 'reflect-metadata';
import { existsSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { takeFileVariables } from '../src/configuration.js';
import { ensureServices, type Services } from './services/ensure.js';
import { repositoryRoot } from './services/paths.js';
import { pause } from './services/run.js';
import { assertComplete } from './stack/environment.js';
import { prepareStack } from './stack/prepare.js';
import { buildIfNeeded, startProcesses, waitForReady } from './stack/processes.js';
import { isStopping, stopRequested } from './stack/stop-request.js';

/** What is built. Tools are not: they are the parts of this command. */
const WATCHED = ['src', 'migrations'];
/** An editor that saves several files makes one change of them. In milliseconds. */
const QUIET_MS = 300;
const READY_TIMEOUT_MS = 60_000;

/** Waits for changes of the sources. */
class Changes {
  private changedAt = 0;
  private notify: () => void = () => undefined;
  private readonly watchers = WATCHED.map((folder) =>
    watch(join(repositoryRoot(), folder), { recursive: true }, () => {
      this.changedAt = performance.now();
      this.notify();
    }),
  );

  /** Resolves once something has changed since the call before, and nothing for a moment. */
  async next(): Promise<void> {
    if (this.changedAt === 0) await new Promise<void>((resolve) => (this.notify = resolve));
    while (performance.now() - this.changedAt < QUIET_MS) await pause(QUIET_MS);
    this.changedAt = 0;
  }

  close(): void {
    for (const watcher of this.watchers) watcher.close();
  }
}

/**
 * Starts the processes. They need not become ready: their log says what is wrong.
 * @returns stops them.
 */
async function start(services: Services): Promise<() => Promise<void>> {
  const env = await prepareStack(services);
  const processes = startProcesses({ env });
  const over = new AbortController();
  const url = `http://127.0.0.1:${env.PORT}`;
  const tell = (text: string) => {
    if (!over.signal.aborted) console.log(`${text} Waiting for changes of the sources …`);
  };
  void waitForReady(`${url}/health/ready`, READY_TIMEOUT_MS, over.signal).then(
    () => tell(`Ready: ${url} (worker: port ${env.WORKER_PORT}).`),
    () => undefined,
  );
  void processes.firstEnd.then(({ name, code }) => {
    tell(`The ${name} has ended with code ${code}.`);
    over.abort();
  });
  return async () => {
    over.abort();
    await processes.stop();
  };
}

/** Writes the error of a step that the next change may mend. @returns whether there was none. */
async function succeeds(step: () => Promise<void>): Promise<boolean> {
  try {
    await step();
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
}

/** Says which sources are built. */
function buildStamp(): string {
  const stamp = join(repositoryRoot(), 'dist', '.sources');
  // A failed build leaves none.
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
}

async function run(services: Services): Promise<void> {
  const changes = new Changes();
  let stop: (() => Promise<void>) | undefined;
  try {
    stop = await start(services);
    while (!isStopping()) {
      await Promise.race([changes.next(), stopRequested]);
      const before = buildStamp();
      if (isStopping() || !(await succeeds(buildIfNeeded))) continue;
      // A file of an editor came and went.
      if (stop !== undefined && buildStamp() === before) continue;
      await stop?.();
      stop = undefined;
      await succeeds(async () => {
        stop = await start(services);
      });
    }
  } finally {
    changes.close();
    await stop?.();
  }
}

async function main(): Promise<void> {
  takeFileVariables();
  assertComplete(process.env);
  const services = await ensureServices({ log: (line) => console.log(line) });
  try {
    if (!isStopping()) await run(services);
  } finally {
    await services.stop();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
