/**
 * A reason as it may be stored and shown: a short code of the carrier's, too short for a telephone number.
 */
export function isReasonCode(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z][a-z_]{0,63}$/.test(value);
}

/** An id as a carrier gives it to a call: visible ASCII. */
export function isCarrierCallId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value);
}

/** The object that a text of JSON holds; `{}` where it holds none. */
export function objectFrom(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
