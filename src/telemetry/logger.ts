import { createRequire } from 'node:module';
import { types } from 'node:util';
import { type LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Level, type Logger } from 'pino';
import { describeError } from './describe-error.js';
import { scrub } from './scrub.js';

/** The configuration that a process's log needs. */
export interface LogSettings {
  nodeEnv: string;
  logLevel: string;
}

// Nest's log of its start, with a line for each of some hundred routes and modules.
const WORDY_CONTEXTS = new Set(['InstanceLoader', 'RouterExplorer', 'RoutesResolver']);

/**
 * The log of Nest and of the process, as lines of JSON by pino; readable lines in development. As in Nest, a
 * string as the last argument is the context. The keys of an object become fields of the line, and its
 * `message` becomes the message. Errors show what `describeError` lets through, and every finished line goes
 * through {@link scrub}.
 */
export class JsonLogger implements LoggerService {
  constructor(private readonly pino: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  private write(level: Level, message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    const wordy = typeof context === 'string' && WORDY_CONTEXTS.has(context);
    const actual = level === 'info' && wordy ? 'debug' : level;
    if (!this.pino.isLevelEnabled(actual)) return;
    const fields: Record<string, unknown> = typeof context === 'string' ? { context } : {};
    // `error(message, stack, context)`
    const stack = rest.slice(0, -1).find((part) => typeof part === 'string');
    if (stack !== undefined) fields.stack = stack;
    this.pino[actual](...lineOf(message, fields));
  }
}

function lineOf(message: unknown, fields: Record<string, unknown>): [Record<string, unknown>, string] {
  if (message instanceof Error || types.isNativeError(message)) return [fields, describeError(message)];
  if (typeof message !== 'object' || message === null) return [fields, String(message)];
  const own = message as Record<string, unknown>;
  // The keys are copied one by one. Spreading both objects into a third takes three times as long as all
  // other work on a line.
  for (const key of Object.keys(own)) if (key !== 'message') fields[key] = own[key];
  return [fields, typeof own.message === 'string' ? own.message : ''];
}

/**
 * The log of one process.
 *
 * @param process its name, on every line.
 * @param destination standard output, unless a test reads the log.
 */
export function createLogger(
  { nodeEnv, logLevel }: LogSettings,
  process: 'api' | 'worker',
  destination?: DestinationStream,
): JsonLogger {
  const options = {
    level: logLevel,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    hooks: { streamWrite: scrub },
  };
  const readable = nodeEnv === 'development' ? readableOutput() : undefined;
  // Writing is synchronous, so that a line that is written before a crash is not lost.
  return new JsonLogger(pino(options, destination ?? readable ?? pino.destination({ fd: 1, sync: true })));
}

/** pino-pretty is a development dependency; without it development logs JSON as well. */
function readableOutput(): DestinationStream | undefined {
  try {
    const pretty = createRequire(__filename)('pino-pretty') as (options: object) => DestinationStream;
    return pretty({
      sync: true,
      singleLine: true,
      colorize: process.stdout.isTTY,
      translateTime: 'SYS:HH:MM:ss.l',
      ignore: 'process',
      messageFormat: '{if context}[{context}] {end}{msg}',
    });
  } catch {
    return undefined;
  }
}
