/** Bound on what a request may leave behind in one JSON column: a call's variables, a contact's properties, a definition. */
export const MAX_JSON_BYTES = 65_536;

// Strings are matched as well, so that text which looks like an exponent is passed over.
const STRING_OR_EXPONENT = /"(?:[^"\\]|\\.)*"|e[+-](\d+)/g;

/**
 * Bytes of UTF-8 that a value of a request takes as compact JSON. An exponent counts as many bytes as the zeros that
 * it stands for, because Postgres writes them out.
 */
export function jsonBytes(value: unknown): number {
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  if (!text.includes('e-') && !text.includes('e+')) return bytes;
  let zeros = 0;
  for (const [, exponent = '0'] of text.matchAll(STRING_OR_EXPONENT)) zeros += Number(exponent);
  return bytes + zeros;
}
