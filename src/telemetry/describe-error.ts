import { types } from 'node:util';

// By name: the worker logs errors as well, and needs TypeORM for nothing else.
const QUOTING = new Set(['QueryFailedError', 'SyntaxError']);

/**
 * An unexpected error for the log: its name, codes and stack. The message is left out where it repeats what
 * was sent: Postgres quotes values, and the JSON parser quotes the text.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error) && !types.isNativeError(error)) return `a thrown ${typeof error}`;
  const { code, constraint, severity } = error as Error & Record<string, unknown>;
  const quotes = QUOTING.has(error.name) || severity !== undefined;
  const facts = [code, constraint, quotes ? undefined : error.message];
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const headline = [error.name, ...facts.filter((fact) => typeof fact === 'string')].join(' ');
  return [headline, ...frames].join('\n');
}
