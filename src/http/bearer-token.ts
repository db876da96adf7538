// Longer than any valid token; bounds the text that is hashed before the token is checked.
const MAX_TOKEN = 512;
const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/**
 * The token of an `Authorization` header, or null if it is no bearer token. The scheme's case does not matter
 * (RFC 9110).
 */
export function bearerToken(header: string | undefined): string | null {
  if (header === undefined || header.length > MAX_TOKEN) return null;
  return BEARER.exec(header)?.[1] ?? null;
}
