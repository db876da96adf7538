import { DatabaseError } from 'pg';
import { RoleRefusedError } from './restricted-role.js';

// SQLSTATEs which mean that Postgres cannot answer now. Two characters stand for a whole class.
const UNAVAILABLE_STATES = new Set([
  '08', // connection lost or refused
  '53', // out of memory, disk, connections
  '57P01', // shut down by its administrator
  '57P02', // crashed
  '57P03', // starting up
  '57014', // statement timeout
  '55P03', // lock timeout
  '25P03', // idle in transaction for too long
  '25006', // a replica that answers in the primary's place
  '40P01', // deadlock
  '40001', // serialization failure
]);

const NETWORK_CODES = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

// The driver and TypeORM give these errors no code. Each means that a connection, or the wait for a
// connection, has ended.
const DRIVER_MESSAGES =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed)|Query runner already released|Driver not connected|Connection is not established)/i;

const MAX_CAUSES = 5;

/** The database is too busy: the work was not done in time, and nothing was written. */
export class DatabaseBusyError extends Error {
  override name = 'DatabaseBusyError';
}

/** COMMIT was sent and its result is unknown: the writes may or may not have happened. */
export class CommitUnknownError extends Error {
  override name = 'CommitUnknownError';
}

interface ErrorLike {
  message: string;
  code?: unknown;
  constraint?: string;
  cause?: unknown;
  /** The driver's error inside TypeORM's `QueryFailedError`. */
  driverError?: unknown;
}

// `instanceof` does not work here: tests run in a realm of their own, and Node's network errors belong to
// another realm.
function isErrorLike(value: unknown): value is ErrorLike {
  return (
    typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
  );
}

/** Recognizes TypeORM's wrapper by its field, because an import of its class would load TypeORM. */
function driverErrorOf(error: ErrorLike): ErrorLike {
  return isErrorLike(error.driverError) ? error.driverError : error;
}

/**
 * Whether an error means that Postgres is unreachable, overloaded or too slow. The same request may then
 * succeed later (503 and `Retry-After`, or the call endpoint's `SERVICE_UNAVAILABLE`). Also examines the
 * error in TypeORM's wrapper, and the causes of the error. Errors of other servers have the same network
 * codes, so pass only errors of Postgres.
 */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  let current = thrown;
  for (let depth = 0; depth < MAX_CAUSES && isErrorLike(current); depth += 1) {
    const error = driverErrorOf(current);
    const { code, message, cause } = error;
    if (typeof code === 'string') {
      if (NETWORK_CODES.has(code)) return true;
      if (UNAVAILABLE_STATES.has(code) || UNAVAILABLE_STATES.has(code.slice(0, 2))) return true;
    }
    if (error instanceof DatabaseBusyError || DRIVER_MESSAGES.test(message)) return true;
    current = cause;
  }
  return false;
}

// SQLSTATE classes of errors that the values of one statement, or the locks of another transaction, can
// cause.
const OF_ONE_STATEMENT = ['21', '22', '23', '40', '44', '54', '55', 'P0'];

/**
 * Whether one statement may have caused the error, by its values or by a lock that it waited for. Any other
 * error, such as a lost connection, concerns the whole transaction.
 */
export function mayBeOfOneStatement(error: unknown): boolean {
  return error instanceof DatabaseError && OF_ONE_STATEMENT.includes(error.code?.slice(0, 2) ?? '');
}

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Whether a transaction was rolled back because it had waited for a lock or a row for as long as its limit
 * allows.
 */
export function isLockTimeout(error: unknown): boolean {
  const driverError = isErrorLike(error) ? driverErrorOf(error) : error;
  return driverError instanceof DatabaseError && driverError.code === LOCK_NOT_AVAILABLE;
}

/** Whether the user of the connection has no right to run a statement. */
export function isPermissionDenied(error: unknown): boolean {
  return isErrorLike(error) && driverErrorOf(error).code === '42501';
}

/** Whether a statement names a table that no migration has made yet. */
export function isMissingTable(error: unknown): boolean {
  return (error instanceof DatabaseError && error.code === '42P01') || isMissingRole(error);
}

/** Whether the role of the processes does not exist, because no migration has made it yet. */
function isMissingRole(error: unknown): boolean {
  return error instanceof RoleRefusedError && (error.cause as { code?: unknown }).code === '22023';
}

/** Whether a statement names a table or a function that no migration has made yet. */
export function isNotMigrated(error: unknown): boolean {
  return isMissingTable(error) || (error instanceof DatabaseError && error.code === '42883');
}

/** Whether the schema lacks a table, a function or a column that a later migration adds. */
export function isOlderSchema(error: unknown): boolean {
  return isNotMigrated(error) || (error instanceof DatabaseError && error.code === '42703');
}

/**
 * Name of the unique, foreign key or check constraint that refused a statement; null if the statement failed
 * for another reason.
 */
export function violatedConstraint(error: unknown): string | null {
  if (!isErrorLike(error)) return null;
  const { code, constraint } = driverErrorOf(error);
  return typeof code === 'string' && code.startsWith('23') ? (constraint ?? null) : null;
}
