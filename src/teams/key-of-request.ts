import { type IncomingMessage } from 'node:http';
import { type Request } from 'express';
import { bearerToken } from '../http/bearer-token.js';
import { ownBody } from '../http/request-body.js';
import { traceOf } from '../telemetry/request-trace.js';
import { hashApiKey } from './api-key.js';
import { type KnownKeys } from './known-keys.js';

type RequestWithKey = IncomingMessage & {
  keyHash?: Buffer | null;
  teamOfKey?: Promise<string | null>;
  admittedKey?: AdmittedKey;
};

/** A key that was known when its request came in. */
export interface AdmittedKey {
  /** SHA-256 of the key. */
  keyHash: Buffer;
  teamId: string;
}

/** SHA-256 of the key that a request sends, null where it sends none. Worked out once for each request. */
export function keyHashOf(request: IncomingMessage): Buffer | null {
  const withKey = request as RequestWithKey;
  if (withKey.keyHash === undefined) {
    const apiKey = bearerToken(request.headers.authorization);
    withKey.keyHash = apiKey === null ? null : hashApiKey(apiKey);
  }
  return withKey.keyHash;
}

/**
 * The team whose key a request sends, before its body is read; null for no key or an unknown one. Looked up once for
 * each request. The body is then read at the expense of that team.
 *
 * @throws the driver's error when Postgres cannot be asked.
 */
export function teamOfRequest(keys: KnownKeys, request: Request): Promise<string | null> {
  return ((request as RequestWithKey).teamOfKey ??= lookUp(keys, request));
}

async function lookUp(keys: KnownKeys, request: Request): Promise<string | null> {
  const keyHash = keyHashOf(request);
  if (keyHash === null) return null;
  const teamId = await keys.teamOf(keyHash);
  if (teamId === null) return null;
  (request as RequestWithKey).admittedKey = { keyHash, teamId };
  traceOf(request).teamId = teamId;
  ownBody(request, teamId);
  return teamId;
}

/** The key of a request for which {@link teamOfRequest} has found a team. @throws Error for any other. */
export function admittedKeyOf(request: Request): AdmittedKey {
  const { admittedKey } = request as RequestWithKey;
  if (admittedKey === undefined) throw new Error('The key of the request has not been looked up');
  return admittedKey;
}
