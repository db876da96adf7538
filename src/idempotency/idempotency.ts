import { createHash } from 'node:crypto';
import { type Request } from 'express';
import { type QueryResult, type QueryResultRow } from 'pg';
import { EXTERNAL_ID } from '../domain/contact-fields.js';
import { type Query, query, type Statement } from '../database/transactions.js';
import { type Faulty, faulty, problemOf } from '../http/app-error.js';
import { type RequestWithBody } from '../http/request-body.js';
import {
  FIND_ANSWER,
  type KeyLockRow,
  LOCK_KEY,
  STORE_ANSWER,
  type StoredAnswerRow,
} from './idempotency.sql.js';

/**
 * A request's `Idempotency-Key` (IETF draft 07) with the SHA-256 of the request's method, path, query, `External-Id`
 * and body.
 */
export interface IdempotencyKey {
  key: string;
  fingerprint: Buffer;
}

/** null if no key was sent. */
export type ParsedIdempotencyKey = { ok: true; value: IdempotencyKey | null } | Required<Faulty>;

/** An answer as it is stored and replayed. */
export interface StoredAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** What the earlier use of a key means for the request that sends it now. */
export type KeyUse =
  | { kind: 'unused' }
  | { kind: 'replay'; answer: StoredAnswer }
  /** An earlier, different request was sent with the key: 422. */
  | { kind: 'reused' }
  /** The first request with the key has not been answered yet: 409. */
  | { kind: 'in_flight' };

/** The refusals of `reused` and `in_flight`. */
export const KEY_REUSED = 'The Idempotency-Key was used with another request';
export const KEY_IN_FLIGHT = 'The first request with this Idempotency-Key has not been answered yet';

const QUOTED = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;
const BARE = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** The key of a request whose body was read. */
export function idempotencyKeyOf(request: Request): ParsedIdempotencyKey {
  const key = idempotencyKeyNameOf(request);
  if (!key.ok) return key;
  if (key.value === null) return { ok: true, value: null };
  return { ok: true, value: { key: key.value, fingerprint: fingerprintOf(request) } };
}

/** Reads the header: quoted, as the draft requires, or bare; 1 to 255 printable characters. */
export function idempotencyKeyNameOf(
  request: Request,
): { ok: true; value: string | null } | Required<Faulty> {
  const header = request.get('Idempotency-Key')?.trim();
  if (header === undefined) return { ok: true, value: null };
  const key = QUOTED.exec(header)?.[1]?.replace(/\\(.)/g, '$1') ?? (isBare(header) ? header : undefined);
  if (key === undefined) {
    const message = 'Idempotency-Key must be 1 to 255 printable characters, quoted or bare';
    return faulty([problemOf(message, 'Idempotency-Key')]);
  }
  return { ok: true, value: key };
}

function isBare(header: string): boolean {
  return BARE.test(header) && !header.startsWith('"');
}

function fingerprintOf(request: Request): Buffer {
  const { rawBody } = request as RequestWithBody;
  const externalId = request.get(EXTERNAL_ID.header)?.trim();
  // A request without a query and an external id keeps the fingerprint that earlier versions have stored. No path
  // has a tab.
  const of = externalId === undefined ? '' : `\t${externalId}`;
  const hash = createHash('sha256').update(`${request.method}\n${request.originalUrl}${of}\n`);
  if (rawBody?.kind === 'bytes') hash.update(rawBody.bytes);
  return hash.digest();
}

/**
 * The first statements of a transaction that answers a request with a key; their results go to {@link
 * checkKey}.
 */
export function openKey(keyHash: Buffer, { key }: IdempotencyKey): [Query, Query] {
  return [query(LOCK_KEY, keyHash, key), query(FIND_ANSWER, keyHash, key)];
}

/** Checks a key by the results of {@link openKey}'s two statements. */
export function checkKey(
  key: IdempotencyKey,
  locked: QueryResult<QueryResultRow> | undefined,
  found: QueryResult<QueryResultRow> | undefined,
): KeyUse {
  const lock = locked?.rows[0] as KeyLockRow | undefined;
  return checkLockedKey(key, lock?.acquired === true, found?.rows[0] as StoredAnswerRow | undefined);
}

/**
 * @param acquired whether the transaction has the key's lock.
 * @param stored the key's answer, read after the lock was tried.
 */
export function checkLockedKey(
  { fingerprint }: IdempotencyKey,
  acquired: boolean,
  stored: StoredAnswerRow | undefined,
): KeyUse {
  if (stored !== undefined) {
    if (!stored.fingerprint.equals(fingerprint)) return { kind: 'reused' };
    return { kind: 'replay', answer: { status: stored.status, body: stored.body } };
  }
  return acquired ? { kind: 'unused' } : { kind: 'in_flight' };
}

/**
 * Stores the answer. It must be committed together with the rows that the answer describes.
 *
 * @param statement `STORE_ANSWER`, or a statement that takes the same parameters and `more`.
 */
export function storeAnswer(
  teamId: string,
  { key, fingerprint }: IdempotencyKey,
  { status, body }: StoredAnswer,
  statement: Statement = STORE_ANSWER,
  ...more: string[]
): Query {
  return query(statement, teamId, key, fingerprint, status, JSON.stringify(body), ...more);
}
