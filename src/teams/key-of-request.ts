import { type IncomingMessage } from 'node:http';
import { type Request } from 'express';
import { actAs } from '../database/actor.js';
import { AppError } from '../http/app-error.js';
import { bearerToken, credentialsHint } from '../http/bearer-token.js';
import { clientAddressOf } from '../http/client-address.js';
import { ownBody } from '../http/request-body.js';
import { traceOf } from '../telemetry/request-trace.js';
import { hashApiKey } from './api-key.js';
import { type KnownKey, type KnownKeys } from './known-keys.js';

type RequestWithKey = IncomingMessage & {
  keyHash?: Buffer | null;
  teamOfKey?: Promise<string | null>;
  admittedKey?: ScopedKey;
};

/** A key that was known when its request came in. */
export interface AdmittedKey {
  /** SHA-256 of the key. */
  keyHash: Buffer;
  teamId: string;
}

/** An admitted key with its scopes. */
export type ScopedKey = AdmittedKey & KnownKey;

/**
 * SHA-256 of the key that a request sends; null if the request sends no key. It is computed once for each
 * request.
 */
export function keyHashOf(request: IncomingMessage): Buffer | null {
  const withKey = request as RequestWithKey;
  if (withKey.keyHash === undefined) {
    const apiKey = bearerToken(request.headers.authorization);
    withKey.keyHash = apiKey === null ? null : hashApiKey(apiKey);
  }
  return withKey.keyHash;
}

/**
 * The team whose key a request sends; null without a key or with an unknown key. It is looked up once for
 * each request, before the body is read. The memory of the body then counts for that team.
 *
 * @throws the driver's error when the query fails.
 */
export function teamOfRequest(keys: KnownKeys, request: Request): Promise<string | null> {
  return ((request as RequestWithKey).teamOfKey ??= lookUp(keys, request));
}

async function lookUp(keys: KnownKeys, request: Request): Promise<string | null> {
  const keyHash = keyHashOf(request);
  const key = keyHash === null ? null : await keys.find(keyHash);
  if (keyHash === null || key === null) return null;
  noteKey(request, keyHash, key);
  return key.teamId;
}

/**
 * The refusal of a request without a valid key, in the contract's words (5.5). A `hint` helps a client that sends its
 * key in another way.
 */
export function invalidApiKey({ headers }: Request): AppError {
  return new AppError('UNAUTHORIZED', 'Invalid API key', credentialsHint(headers));
}

/** Notes the key that was found for a request. */
export function noteKey(request: Request, keyHash: Buffer, { teamId, scopes }: KnownKey): void {
  (request as RequestWithKey).admittedKey = { keyHash, teamId, scopes };
  traceOf(request).teamId = teamId;
  ownBody(request, teamId);
  actAs(() => ({
    kind: 'key',
    id: null,
    name: null,
    keyHash: keyHash.toString('hex'),
    address: clientAddressOf(request),
  }));
}

/** The key that was found for a request; undefined if none was found. */
export function knownKeyOf(request: Request): ScopedKey | undefined {
  return (request as RequestWithKey).admittedKey;
}

/** The key that was found for a request. @throws Error if none was found. */
export function admittedKeyOf(request: Request): ScopedKey {
  const key = knownKeyOf(request);
  if (key === undefined) throw new Error('The key of the request has not been looked up');
  return key;
}
