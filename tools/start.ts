/**
 * `npm start`: services, migrations, API and worker in one command. Ends on SIGTERM or SIGINT, or with the
 * code of the first process that ends unasked, and leaves no process behind that it started.
 */
import 'reflect-metadata';
import { takeFileVariables } from '../src/configuration.js';
import { ensureServices, type Services } from './services/ensure.js';
import { assertComplete } from './stack/environment.js';
import { prepareStack } from './stack/prepare.js';
import { welcomeLink } from './stack/welcome.js';
import { whereThingsAre } from './stack/where.js';
import { type ProcessEnd, type Processes, startProcesses, waitForReady } from './stack/processes.js';
import { isStopping, stopRequested } from './stack/stop-request.js';

const READY_TIMEOUT_MS = 60_000;

const TERMINATED = 143;

async function waitForBoth(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<'ready'> {
  await Promise.all(
    [env.PORT, env.WORKER_PORT].map((port) =>
      waitForReady(`http://127.0.0.1:${port}/health/ready`, READY_TIMEOUT_MS, signal),
    ),
  );
  return 'ready';
}

/** Runs until it is asked to stop (undefined) or a process ends unasked (how it ended). */
async function untilEnd(
  env: NodeJS.ProcessEnv,
  services: Services,
  processes: Processes,
): Promise<ProcessEnd | undefined> {
  const over = Promise.race([stopRequested, processes.firstEnd]);
  const waiting = new AbortController();
  try {
    const first = await Promise.race([over, waitForBoth(env, waiting.signal)]);
    if (first !== 'ready') return first;
  } finally {
    waiting.abort();
  }
  console.log(whereThingsAre(process.env, env, services, await welcomeLink(env)).join('\n'));
  return over;
}

function exitCode(ownEnd: ProcessEnd | undefined, ends: ProcessEnd[]): number {
  if (ownEnd) {
    console.error(`The ${ownEnd.name} ended unexpectedly, with code ${ownEnd.code}.`);
    return ownEnd.code;
  }
  // Ended by the very signal that we sent is as good as 0.
  return ends.map(({ code }) => code).find((code) => code !== 0 && code !== TERMINATED) ?? 0;
}

async function runStack(services: Services): Promise<number> {
  const env = await prepareStack(services);
  if (isStopping()) return 0;
  const processes = startProcesses({ env });
  let ownEnd: ProcessEnd | undefined;
  let ends: ProcessEnd[];
  try {
    ownEnd = await untilEnd(env, services, processes);
  } finally {
    ends = await processes.stop();
  }
  return exitCode(ownEnd, ends);
}

async function main(): Promise<number> {
  takeFileVariables();
  assertComplete(process.env);
  const services = await ensureServices({ log: (line) => console.log(line) });
  try {
    return isStopping() ? 0 : await runStack(services);
  } finally {
    await services.stop();
  }
}

main().then(
  // Nothing may keep it up now, such as a pooled connection of a readiness probe.
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
