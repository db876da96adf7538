// Longer than any valid header; bounds the text that is hashed before the password is checked.
const MAX_HEADER = 1_024;
const BASIC = /^Basic +([\w+/-]+={0,2}) *$/i;

/** `user:password` as HTTP Basic sends it (RFC 7617), or null if the header is not of that kind. */
export function basicCredentials(header: string): string | null {
  if (header.length > MAX_HEADER) return null;
  const [, encoded] = BASIC.exec(header) ?? [];
  return encoded === undefined ? null : Buffer.from(encoded, 'base64').toString();
}
