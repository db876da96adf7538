import { type INestApplicationContext, type LoggerService } from '@nestjs/common';
import { ConfigError } from '../config/config-error.js';
import { describeError } from '../http/describe-error.js';
import { scrub } from '../telemetry/scrub.js';

/**
 * Longer than any dial takes with its recording, shorter than what supervisors wait before they kill (compose file,
 * Kubernetes manifests).
 */
export const STOP_WITHIN_MS = 35_000;

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * Lets the process end in order at the first signal, with exit code 0: as process 1 of a container it cannot end by a
 * signal that it sends itself. Further signals change nothing. Work that does not end in time, such as a command that waits
 * for an unreachable Redis, is cut off with exit code 1, because Postgres has the state.
 *
 * @param withinMs milliseconds for all of it.
 * @param finish what is to be finished before anything of the application is closed.
 */
export function stopInOrder(
  app: INestApplicationContext,
  logger: LoggerService,
  withinMs = STOP_WITHIN_MS,
  finish: () => Promise<void> = () => Promise.resolve(),
): void {
  let stopping = false;
  const exit = (why: string) => {
    logger.error(why, undefined, 'Process');
    process.exit(1);
  };
  const stop = async (signal: string) => {
    logger.log(`${signal}: stopping`, 'Process');
    setTimeout(() => exit(`did not stop within ${withinMs} ms`), withinMs).unref();
    await finish();
    await app.close();
    process.exit(0);
  };
  for (const signal of STOP_SIGNALS) {
    process.off(signal, exitAtOnce);
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      stop(signal).catch((error: unknown) => exit(`did not stop in order: ${describeError(error)}`));
    });
  }
}

/** For a signal during the start, for example while the process waits for Postgres. */
function exitAtOnce(): void {
  process.exit(0);
}

/**
 * Runs a process's start; one that cannot start says why in plain words and exits with 1. Until {@link stopInOrder} is
 * called, a signal to stop ends the process with exit code 0.
 */
export function runProcess(start: () => Promise<void>): void {
  for (const signal of STOP_SIGNALS) process.on(signal, exitAtOnce);
  start().catch((error: unknown) => {
    const text =
      error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${scrub(text ?? '')}\n`);
    process.exit(1);
  });
}

/** What Node itself prints of an uncaught error has every property of it, and Postgres puts rows into them. */
export function logUncaught(logger: LoggerService): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      logger.fatal?.(`${event}: ${describeError(error)}`, 'Process');
      process.exit(1);
    });
  }
}
