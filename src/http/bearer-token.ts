import { type IncomingHttpHeaders } from 'node:http';

/** Headers in which other APIs take their keys. */
const OTHER_HEADERS = ['x-api-key', 'api-key', 'apikey'];

// Longer than any valid token; bounds the text that is hashed before the token is checked.
const MAX_TOKEN = 512;
const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

const HINT = 'Send the credentials in the header Authorization: Bearer <key>';

/**
 * What helps a client that sends its key in another way than as a bearer token; empty if it sends none, or a
 * bearer token.
 */
export function credentialsHint(headers: IncomingHttpHeaders): { hint?: string } {
  const { authorization } = headers;
  const sendsOther =
    authorization !== undefined
      ? !/^Bearer +\S/i.test(authorization)
      : OTHER_HEADERS.some((name) => headers[name] !== undefined);
  return sendsOther ? { hint: HINT } : {};
}

/**
 * The token of an `Authorization` header, or null if it is no bearer token. The scheme's case does not matter
 * (RFC 9110).
 */
export function bearerToken(header: string | undefined): string | null {
  if (header === undefined || header.length > MAX_TOKEN) return null;
  return BEARER.exec(header)?.[1] ?? null;
}
