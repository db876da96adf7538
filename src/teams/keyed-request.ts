import { createParamDecorator, type ExecutionContext, UseGuards } from '@nestjs/common';
import { type Request } from 'express';
import { teamOfKey } from '../database/team-scope.js';
import { query, type Statement, type Transactions } from '../database/transactions.js';
import { AppError, invalid } from '../http/app-error.js';
import { type JsonObjectResult, readJsonObject } from '../http/body.js';
import {
  type IdempotencyKey,
  idempotencyKeyOf,
  type ParsedIdempotencyKey,
} from '../idempotency/idempotency.js';
import { MAX_CONTRACT_VALUES } from '../http/json-body.js';
import { type RequestTrace, traceOf } from '../telemetry/request-trace.js';
import { type AdmittedKey, admittedKeyOf } from './key-of-request.js';
import { KnownKeyGuard } from './known-key.guard.js';

/** A request to a team's endpoint as it came in: its body has not been judged. */
export interface KeyedRequest extends AdmittedKey {
  body: JsonObjectResult;
  idempotencyKey: ParsedIdempotencyKey;
  trace: RequestTrace;
}

/**
 * The {@link KeyedRequest} of a controller's method, which then is behind {@link KnownKeyGuard}. The statement that does
 * the work judges the key again.
 */
export function Keyed(): ParameterDecorator {
  return (target, handler, index) => {
    if (handler !== undefined) {
      UseGuards(KnownKeyGuard)(target, handler, Object.getOwnPropertyDescriptor(target, handler) ?? {});
    }
    ReadKeyed()(target, handler, index);
  };
}

const ReadKeyed = createParamDecorator(
  async (_: unknown, context: ExecutionContext): Promise<KeyedRequest> => {
    const request = context.switchToHttp().getRequest<Request>();
    const body = await readJsonObject(request, { maxValues: MAX_CONTRACT_VALUES });
    return {
      ...admittedKeyOf(request),
      body,
      // Of method, path and body, which therefore is read first.
      idempotencyKey: idempotencyKeyOf(request),
      trace: traceOf(request),
    };
  },
);

/** Reads a body; numbers in national form are read with `defaultCountry`, and refused where it is null. */
export type BodyParser<T> = (
  body: Record<string, unknown>,
  defaultCountry: string | null,
) => { ok: true; value: T } | { ok: false; message: string };

interface TeamOfKeyRow {
  default_country: string | null;
}

/** $1 SHA-256 of the API key. */
const COUNTRY_OF_KEY: Statement = {
  name: 'country_of_key',
  text: `
    SELECT t.default_country
    FROM api_keys k JOIN teams t ON t.id = k.team_id
    WHERE k.key_hash = $1 AND k.revoked_at IS NULL`,
};

/**
 * The body of a request, its API key, and its idempotency key. A sound body costs no round trip, because
 * the statement that does the work joins {@link CALLER}; only where the body is at fault, or its number in national form, is the key looked up
 * first: a wrong key goes before a wrong body.
 *
 * @throws AppError `UNAUTHORIZED`, `PAYLOAD_TOO_LARGE` or `INVALID_REQUEST`.
 */
export async function readKeyed<T>(
  transactions: Transactions,
  { keyHash, teamId, body, idempotencyKey }: KeyedRequest,
  parse: BodyParser<T>,
): Promise<AdmittedKey & { key: IdempotencyKey | null; value: T }> {
  const parsed = body.ok ? parse(body.value, null) : null;
  if (parsed?.ok && idempotencyKey.ok) {
    return { keyHash, teamId, key: idempotencyKey.value, value: parsed.value };
  }

  const own = transactions.within(teamOfKey(keyHash));
  const [team] = await own.read<TeamOfKeyRow>(query(COUNTRY_OF_KEY, keyHash));
  if (team === undefined) throw invalidApiKey();
  if (!body.ok) throw new AppError(body.code, body.message);
  const reparsed = parse(body.value, team.default_country);
  if (!reparsed.ok) throw invalid(reparsed.message);
  if (!idempotencyKey.ok) throw invalid(idempotencyKey.message);
  return { keyHash, teamId, key: idempotencyKey.value, value: reparsed.value };
}

/** Who calls; no row at all for a key that is unknown or revoked. */
export interface CallerRow {
  team_id: string;
  /** Whether the request's `teamId`, if it has one, is the key's own team. Nothing is written where it is not. */
  admitted: boolean;
}

/** The common table expression `caller`, at most one row. $1 SHA-256 of the API key, $2 the request's `teamId` or null. */
export const CALLER = `caller AS (
      SELECT team_id, $2::uuid IS NULL OR team_id = $2 AS admitted
      FROM api_keys WHERE key_hash = $1 AND revoked_at IS NULL
    )`;

/**
 * The row of a statement that joins {@link CALLER}; the request's log line will name its team.
 *
 * @throws AppError `UNAUTHORIZED` or `FORBIDDEN` (contract 5.3).
 */
export function admit<Row extends CallerRow>([row]: Row[], trace: RequestTrace): Row {
  if (row === undefined) throw invalidApiKey();
  trace.teamId = row.team_id;
  if (!row.admitted) throw new AppError('FORBIDDEN', 'teamId must be the team of the API key');
  return row;
}

/** In the contract's words (5.5). */
export const invalidApiKey = (): AppError => new AppError('UNAUTHORIZED', 'Invalid API key');
