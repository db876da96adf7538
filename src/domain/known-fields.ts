import { trimmed } from './trimmed.js';

/** A request's body, split into the known fields and the other keys. */
export interface SplitFields {
  /** The known fields that were sent. Texts are {@link trimmed}. */
  sent: Record<string, unknown>;
  /** All other keys with their values as they are, null and the empty string included. */
  others: Record<string, unknown>;
}

/** In a known field, null, the empty string, and a text of only white space count as not sent. */
export function isSent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** @param known the keys that the interface names for the endpoint. */
export function splitFields(body: Record<string, unknown>, known: ReadonlySet<string>): SplitFields {
  const sent: [string, unknown][] = [];
  const others: [string, unknown][] = [];
  for (const [key, value] of Object.entries(body)) {
    if (!known.has(key)) others.push([key, value]);
    else {
      const read = typeof value === 'string' ? trimmed(value) : value;
      if (isSent(read)) sent.push([key, read]);
    }
  }
  return { sent: Object.fromEntries(sent), others: Object.fromEntries(others) };
}
