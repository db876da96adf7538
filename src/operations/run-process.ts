import { type INestApplicationContext, type LoggerService } from '@nestjs/common';
import { ConfigError } from '../config/config-error.js';
import { describeError } from '../telemetry/describe-error.js';
import { scrub } from '../telemetry/scrub.js';

/**
 * How long a stop may take, in milliseconds: longer than a dial and its recording take. Supervisors wait
 * longer before they kill a process (compose file, Kubernetes manifests).
 */
export const STOP_WITHIN_MS = 35_000;

const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * The signals to stop. One set of listeners stays from the start of the process to its end, because a signal
 * that arrives while listeners are replaced would be lost.
 */
export class StopSignals {
  private received: NodeJS.Signals | null = null;
  private react: (signal: NodeJS.Signals) => void = exitAtOnce;

  constructor() {
    for (const signal of STOP_SIGNALS) process.on(signal, () => this.arrived(signal));
  }

  /**
   * From now on a signal waits for {@link stopInOrder}, but no longer than a stop may take. Until then, a
   * signal ends the process at once with exit code 0, for example while the process waits for Postgres.
   */
  hold(): void {
    this.react = () => void setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
  }

  /**
   * Stops the process in order at the first signal, which may have arrived before, and exits with code 0. It
   * ends by an exit, because process 1 of a container cannot end itself by a signal. Further signals have no
   * effect. Work that does not end in time, such as a command that waits for an unreachable Redis, is cut off
   * with exit code 1. No state is lost, because Postgres has it.
   *
   * @param app is initialized: an application that is closed while it starts fails.
   * @param withinMs milliseconds for the whole stop.
   * @param finish is awaited before any part of the application is closed.
   */
  stopInOrder(
    app: INestApplicationContext,
    logger: LoggerService,
    withinMs = STOP_WITHIN_MS,
    finish: () => Promise<void> = () => Promise.resolve(),
  ): void {
    const exit = (why: string) => {
      logger.error(why, undefined, 'Process');
      process.exit(1);
    };
    const stop = async (signal: NodeJS.Signals) => {
      logger.log(`${signal}: stopping`, 'Process');
      setTimeout(() => exit(`did not stop within ${withinMs} ms`), withinMs).unref();
      await finish();
      await app.close();
      process.exit(0);
    };
    this.react = (signal) => {
      stop(signal).catch((error: unknown) => exit(`did not stop in order: ${describeError(error)}`));
    };
    if (this.received !== null) this.react(this.received);
  }

  private arrived(signal: NodeJS.Signals): void {
    if (this.received !== null) return;
    this.received = signal;
    this.react(signal);
  }
}

function exitAtOnce(): void {
  process.exit(0);
}

/** Runs the start of a process. If it fails, the process prints the reason and exits with code 1. */
export function runProcess(start: (signals: StopSignals) => Promise<void>): void {
  start(new StopSignals()).catch((error: unknown) => {
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
