import { type INestApplicationContext, type LoggerService } from '@nestjs/common';
import { ConfigError } from '../config/config-error.js';
import { describeError } from '../telemetry/describe-error.js';
import { scrub } from '../telemetry/scrub.js';

/**
 * How long a stop may take, in milliseconds: longer than a dial and its recording take. Supervisors wait
 * longer before they kill a process (compose file, Kubernetes manifests).
 */
export const STOP_WITHIN_MS = 35_000;

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * Stops the process in order at the first signal, and exits with code 0. It ends by an exit, because process
 * 1 of a container cannot end itself by a signal. Further signals have no effect. Work that does not end in
 * time, such as a command that waits for an unreachable Redis, is cut off with exit code 1. No state is lost,
 * because Postgres has it.
 *
 * @param withinMs milliseconds for the whole stop.
 * @param finish is awaited before any part of the application is closed.
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
 * Runs the start of a process. If it fails, the process prints the reason and exits with code 1. Until {@link
 * stopInOrder} is called, a signal to stop ends the process with exit code 0.
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

/**
 * Logs uncaught errors without their properties, and exits with code 1. By default, Node prints all
 * properties of an error, and errors of Postgres contain rows.
 */
export function logUncaught(logger: LoggerService): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      logger.fatal?.(`${event}: ${describeError(error)}`, 'Process');
      process.exit(1);
    });
  }
}
