import { ConfigError } from '../config/config-error.js';
import { isDatabaseUnavailable, isPermissionDenied } from '../database/database-errors.js';
import { RoleRefusedError } from '../database/restricted-role.js';
import { AppError, joinProblems } from '../http/app-error.js';
import { SecretNotOpened } from '../secrets/secrets.js';
import { describeError } from '../telemetry/describe-error.js';
import { type Command as Program, Help } from 'commander';
import { ApiFailure } from './api-client.js';
import { INVOCATION, nameOf } from './program.js';
import { OperatorOnlyError, UsageError } from './usage-error.js';

/** The message of a failure, and its exit code. */
export interface Failure {
  code: 1 | 2;
  message: string;
}

/** The command that lists the resources of the kind that was not found. */
const LISTED_BY: Record<string, string> = {
  Team: 'team list',
  User: 'user list',
  'API key': 'key list --team <id>',
  'Phone number': 'number list --team <id>` and `dnc list --team <id>',
  'Number pool': 'pool list --team <id>',
  'Voice agent': 'agent list --team <id>',
  Campaign: 'campaign list --team <id>',
  Call: 'call list --team <id>',
};

const NOT_MIGRATED = 'The database does not have the schema of this version: `npm run migrate`.';
const NOT_OPERATOR =
  'The user of the connection has no operator rights: set DATABASE_OPERATOR_URL to the URL of the owner of the tables.';

const BY_KEY =
  'OUTDIAL_URL and OUTDIAL_API_KEY are set, so commands are sent with the key of a team. Without both, they run on the database.';

// SQLSTATEs of a schema that is missing, or older than this program.
const SCHEMA_STATES = new Set(['42P01', '42703', '42883']);

/**
 * The message tells what to do. Only the message of an unexpected error contains a stack.
 *
 * @param command that was running.
 */
export function failureOf(error: unknown, command: Program | undefined): Failure {
  if (error instanceof UsageError)
    return { code: 2, message: withUsage(error.message, error.command ?? command) };
  if (error instanceof OperatorOnlyError) {
    const name = command === undefined ? 'The command' : `\`${nameOf(command)}\``;
    return { code: 2, message: `${name} needs the operator: ${error.message}. ${BY_KEY}` };
  }
  if (error instanceof ApiFailure) return { code: 1, message: error.message };
  if (error instanceof ConfigError) return { code: 2, message: error.message };
  if (error instanceof SecretNotOpened) return { code: 1, message: error.message };
  if (error instanceof AppError) return refusal(error, command);
  if (isDatabaseUnavailable(error)) {
    return { code: 1, message: 'Postgres cannot be reached, or did not answer in time: see DATABASE_URL.' };
  }
  if (isPermissionDenied(error instanceof RoleRefusedError ? error.cause : error)) {
    return { code: 2, message: NOT_OPERATOR };
  }
  if (error instanceof RoleRefusedError) return { code: 1, message: NOT_MIGRATED };
  const state = (error as { code?: unknown } | null)?.code;
  if (typeof state === 'string' && SCHEMA_STATES.has(state)) {
    return { code: 1, message: NOT_MIGRATED };
  }
  if (typeof state === 'string' && /^(28|3D)/.test(state)) {
    return { code: 1, message: `Postgres refuses DATABASE_URL: ${(error as Error).message}` };
  }
  return { code: 1, message: `Unexpected: ${describeError(error)}` };
}

function refusal({ code, message, problems }: AppError, command: Program | undefined): Failure {
  if (code === 'INVALID_REQUEST' || code === 'PAYLOAD_TOO_LARGE') {
    const named = problems.map((one) => ({ ...one, message: inOptions(one.message, command) }));
    return { code: 2, message: withUsage(joinProblems(named), command) };
  }
  const listed = LISTED_BY[message.replace(/ not found$/, '')];
  const hint = code === 'NOT_FOUND' && listed ? ` See \`${INVOCATION} ${listed}\`.` : '';
  return { code: 1, message: `${message}.${hint}` };
}

/**
 * Messages name fields of a request. On the command line these are options: `defaultCountry must be …` →
 * `--default-country must be …`.
 */
function inOptions(message: string, command: Program | undefined): string {
  const argument = nameArgument(message);
  if (argument !== message) return argument;
  const [field = ''] = message.split(/[ .[]/, 1);
  const option = command?.options.find((known) => known.attributeName() === field);
  return option?.long ? `${option.long}${message.slice(field.length)}` : message;
}

/**
 * Messages name items of a list. On the command line these are arguments: `phoneNumbers[1] must …` →
 * `Number 2 must …`.
 */
export function nameArgument(message: string): string {
  return message.replace(/^phoneNumbers\[(\d+)\]/, (_, index: string) => `Number ${Number(index) + 1}`);
}

function withUsage(message: string, command: Program | undefined): string {
  if (command === undefined) return `${message}\nSee \`${INVOCATION} --help\`.`;
  const help = [INVOCATION, nameOf(command), '--help'].filter((word) => word !== '').join(' ');
  const usage = command.commands.length > 0 ? [] : [`Usage: ${new Help().commandUsage(command)}`];
  return [message, ...usage, `See \`${help}\`.`].join('\n');
}
