// Longer than any token of ours; a bound on what is hashed for strangers.
const MAX_TOKEN = 512;
const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/** The token of an `Authorization` header, or null if it is no bearer token. The scheme's case does not matter (RFC 9110). */
export function bearerToken(header: string | undefined): string | null {
  if (header === undefined || header.length > MAX_TOKEN) return null;
  return BEARER.exec(header)?.[1] ?? null;
}
