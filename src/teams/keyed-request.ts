import { type Request } from 'express';
import { type EndpointKeys, nearMisses, type Warned, warned } from '../domain/near-misses.js';
import { type TeamSettingRow, type TeamSettingValues } from '../domain/team-settings.js';
import { teamOfKey } from '../database/team-scope.js';
import { query, type Statement, type Transactions } from '../database/transactions.js';
import { AppError, faulty, type Faulty, problemsOf } from '../http/app-error.js';
import { type BodyFault, type JsonObjectResult, readJsonObject } from '../http/request-body.js';
import {
  type IdempotencyKey,
  idempotencyKeyOf,
  type ParsedIdempotencyKey,
} from '../idempotency/idempotency.js';
import { type RequestTrace, traceOf } from '../telemetry/request-trace.js';
import { type AdmittedKey, admittedKeyOf, type ScopedKey } from './key-of-request.js';

/** The most JSON values in a body of the contract's four endpoints, and of a dry run. */
const MAX_CONTRACT_VALUES = 10_000;

/** A request to a team's endpoint, with a body that has not been validated. */
export interface KeyedRequest extends ScopedKey {
  body: JsonObjectResult;
  idempotencyKey: ParsedIdempotencyKey;
  trace: RequestTrace;
}

/**
 * Reads the body of a request whose key is known.
 * @throws AppError `RATE_LIMITED` when the team's bodies hold too much memory.
 */
export async function keyedRequestOf(request: Request): Promise<KeyedRequest> {
  const body = await readJsonObject(request, MAX_CONTRACT_VALUES);
  return {
    ...admittedKeyOf(request),
    body,
    // The fingerprint covers the body, so the body is read first.
    idempotencyKey: idempotencyKeyOf(request),
    trace: traceOf(request),
  };
}

/**
 * Reads a body. Numbers in national form are read with `defaultCountry`; if it is null, they are refused.
 * `acceptUnknownRanges` is as of `parsePhoneNumber`. A fault without a reason is `INVALID_REQUEST`.
 */
export type BodyParser<T, Reason extends string = never> = (
  body: Record<string, unknown>,
  defaultCountry: string | null,
  acceptUnknownRanges: boolean,
) => { ok: true; value: T } | (Faulty & { reason?: Reason });

/** A request whose body, API key and idempotency key are well-formed. */
export interface ReadRequest<T> extends AdmittedKey {
  key: IdempotencyKey | null;
  value: T;
}

/** The warnings about the keys of a body; none about a body that could not be read. */
export function keyWarnings({ body }: Pick<KeyedRequest, 'body'>, keys: EndpointKeys): Warned {
  return warned(body.ok ? nearMisses(body.value, keys) : []);
}

/** How a team's numbers are read. */
export type NumberRules = Pick<TeamSettingValues, 'defaultCountry' | 'acceptUnknownRanges'>;

/** Of a team that was not looked up. It refuses numbers in national form, and of unknown ranges. */
export const STRICTEST: NumberRules = { defaultCountry: null, acceptUnknownRanges: false };

type BadRequest<Reason extends string> = Faulty & { reason: Reason | BodyFault };

/**
 * Reads the body of a request and its idempotency key. With the rules {@link STRICTEST}, a valid body costs no
 * round trip, because the transaction that does the work checks the API key. A body that they refuse is read
 * again with the rules of the key's team, once the key is known: a wrong key takes precedence over a faulty body.
 */
export function readRequest<T, Reason extends string = never>(
  { keyHash, teamId, body, idempotencyKey }: KeyedRequest,
  parse: BodyParser<T, Reason>,
  { defaultCountry, acceptUnknownRanges }: NumberRules,
): { ok: true; value: ReadRequest<T> } | BadRequest<Reason> {
  if (!body.ok) return { ...body, reason: body.code };
  const parsed = parse(body.value, defaultCountry, acceptUnknownRanges);
  if (parsed.ok && idempotencyKey.ok) {
    return { ok: true, value: { keyHash, teamId, key: idempotencyKey.value, value: parsed.value } };
  }
  const { reason = 'INVALID_REQUEST' } = parsed.ok ? {} : parsed;
  return { ...faulty(problemsOf(parsed, idempotencyKey)), reason };
}

type TeamOfKeyRow = Pick<TeamSettingRow, 'default_country' | 'accept_unknown_ranges'>;

/** $1 SHA-256 of the API key. */
const COUNTRY_OF_KEY: Statement = {
  name: 'country_of_key',
  text: `
    SELECT t.default_country, t.accept_unknown_ranges
    FROM api_keys k JOIN teams t ON t.id = k.team_id
    WHERE k.key_hash = $1 AND key_is_live(k.revoked_at, k.expires_at)`,
};

/** What an endpoint's request says, and the warnings about the keys of its body. */
export type AdmittedRequest<T> = ReadRequest<T> & { warned: Warned };

/**
 * {@link readRequest} for the endpoints whose statement joins {@link CALLER}.
 *
 * @param keys the keys of the body. A refusal of the body carries the warnings about them, too.
 * @throws AppError `UNAUTHORIZED`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_ENCODING` or `INVALID_REQUEST`.
 */
export async function admitKeyed<T>(
  transactions: Transactions,
  request: KeyedRequest,
  parse: BodyParser<T>,
  keys: EndpointKeys,
): Promise<AdmittedRequest<T>> {
  const first = readRequest(request, parse, STRICTEST);
  const read = first.ok
    ? first
    : readRequest(request, parse, await numberRulesOfKey(transactions, request.keyHash));
  const warnings = keyWarnings(request, keys);
  if (!read.ok) throw new AppError(read.reason, read.message, { ...warnings }, read.problems);
  return { ...read.value, warned: warnings };
}

/** @throws AppError `UNAUTHORIZED`. */
async function numberRulesOfKey(transactions: Transactions, keyHash: Buffer): Promise<NumberRules> {
  const own = transactions.within(teamOfKey(keyHash));
  const [team] = await own.read<TeamOfKeyRow>(query(COUNTRY_OF_KEY, keyHash));
  if (team === undefined) throw invalidApiKey();
  return { defaultCountry: team.default_country, acceptUnknownRanges: team.accept_unknown_ranges };
}

/** The team of the API key. There is no row for a key that is unknown, revoked or expired. */
export interface CallerRow {
  team_id: string;
  /** Whether the request's `teamId`, if there is one, is the key's own team. Otherwise nothing is written. */
  admitted: boolean;
}

/**
 * The common table expression `caller`, at most one row. $1 SHA-256 of the API key, $2 the request's `teamId`
 * or null.
 */
export const CALLER = `caller AS (
      SELECT team_id, $2::uuid IS NULL OR team_id = $2 AS admitted
      FROM api_keys WHERE key_hash = $1 AND key_is_live(revoked_at, expires_at)
    )`;

/**
 * Checks the row of a statement that joins {@link CALLER}. The log line of the request names the team.
 *
 * @throws AppError `UNAUTHORIZED` or `FORBIDDEN` (contract 5.3).
 */
export function admit<Row extends CallerRow>([row]: Row[], trace: RequestTrace): Row {
  if (row === undefined) throw invalidApiKey();
  trace.teamId = row.team_id;
  if (!row.admitted) throw new AppError('FORBIDDEN', 'teamId must be the team of the API key');
  return row;
}

/** The wording is the contract's (5.5). */
export const invalidApiKey = (): AppError => new AppError('UNAUTHORIZED', 'Invalid API key');
