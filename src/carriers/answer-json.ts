/**
 * Whether a reason may be stored and shown: a short code of lower-case letters and underscores, which cannot
 * contain a phone number.
 */
export function isReasonCode(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z][a-z_]{0,63}$/.test(value);
}

/** Whether a carrier may give a call this id: 1 to 200 visible ASCII characters. */
export function isCarrierCallId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value);
}

/** Parses JSON; returns undefined for a text that is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a text is a JSON object. */
export function isObject(text: string): boolean {
  return text.trimStart().startsWith('{') && jsonIn(text) !== undefined;
}

/** Parses a JSON object; returns `{}` for malformed JSON and for primitive values. */
export function objectFrom(text: string): Record<string, unknown> {
  const value = jsonIn(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
