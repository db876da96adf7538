import { types } from 'node:util';

// The errors are recognised by name, so that the worker need not load TypeORM for its log.
const QUOTING = new Set(['QueryFailedError', 'SyntaxError']);

/**
 * An unexpected error for the log: its name, codes, message and stack. The message is left out if it can
 * repeat what was sent: Postgres quotes values, and the JSON parser quotes the text.
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
