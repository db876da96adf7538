import { type Request } from 'express';
import { invalid } from './app-error.js';

/**
 * Reads the only parameter that a query may have: `true` or `false`; false if it was not sent.
 * @throws AppError `INVALID_REQUEST`.
 */
export function readFlag(query: Request['query'], name: string): boolean {
  const unknown = Object.keys(query).find((sent) => sent !== name);
  if (unknown !== undefined) {
    throw invalid(
      `${/^\w{1,40}$/.test(unknown) ? unknown : 'A query parameter'} is not a parameter of this operation`,
    );
  }
  const value = query[name];
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  throw invalid(`${name} must be true or false`);
}
