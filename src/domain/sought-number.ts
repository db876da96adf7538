import { hasErasedForm } from './erased-number.js';
import { parseStoredNumber } from './phone-number.js';

const E164 = /^\+[1-9]\d{6,14}$/;

/** Whether a value has the format E.164. */
export function isE164(value: unknown): value is string {
  return typeof value === 'string' && E164.test(value);
}

/** A number by which rows are found. `erased`: it is an erased number, as lists show it. */
export type SoughtNumber = { ok: true; e164: string; erased: boolean } | { ok: false; message: string };

/**
 * Parses the phone number by which calls or enrollments are found. Their number may be one that is not
 * accepted now: of an unknown range, of a type that is never dialed, or one that has left the numbering plans
 * since. So text in E.164 is accepted unchanged.
 */
export function parseSoughtNumber(
  country: string | null,
  input: unknown,
  field = 'phoneNumber',
): { ok: true; e164: string } | { ok: false; message: string } {
  const parsed = parseStoredNumber(input, country, field);
  return !parsed.ok && isE164(input) ? { ok: true, e164: input } : parsed;
}

/** The text of a number in a query string. A plus that a client did not escape arrives as a space. */
export function spelledInQuery(text: string): string {
  return text.replace(/^ (?=\d)/, '+');
}

/** As {@link parseSoughtNumber}, for a number in a query string, which may also be an erased number. */
export function parseNumberInQuery(country: string | null, text: string, field?: string): SoughtNumber {
  const spelled = spelledInQuery(text);
  if (hasErasedForm(spelled)) return { ok: true, e164: spelled, erased: true };
  const parsed = parseSoughtNumber(country, spelled, field);
  return parsed.ok ? { ok: true, e164: parsed.e164, erased: false } : parsed;
}
