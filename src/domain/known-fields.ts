/** A request's body, split into the known fields and the other keys. */
export interface SplitFields {
  /** The known fields that were sent. */
  sent: Record<string, unknown>;
  /** All other keys with their values as they are, null and the empty string included. */
  others: Record<string, unknown>;
}

/** In a known field, null and the empty string count as not sent. */
export function isSent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** @param known the keys that the interface names for the endpoint. */
export function splitFields(body: Record<string, unknown>, known: ReadonlySet<string>): SplitFields {
  const entries = Object.entries(body);
  return {
    sent: Object.fromEntries(entries.filter(([key, value]) => known.has(key) && isSent(value))),
    others: Object.fromEntries(entries.filter(([key]) => !known.has(key))),
  };
}
