import { type CarrierCredentials } from './carrier.js';

/** One credential of a carrier account. */
export interface AccountField {
  /** Its name in `credentials`. */
  name: string;
  /** Its label in forms. */
  label: string;
  /** Where the platform shows it, and what for. */
  hint: string;
  /** Whether an account can be without it. */
  optional?: true;
}

/** A credential fits into a header: visible ASCII without spaces. */
const CREDENTIAL = /^[\x21-\x7e]{8,500}$/;

export type ReadCredentials =
  { ok: true; credentials: CarrierCredentials } | { ok: false; messages: string[] };

/** Reads the credentials of an account. The messages name the fields, and contain no value. */
export function readCredentials(
  fields: readonly AccountField[],
  sent: Readonly<Record<string, unknown>>,
): ReadCredentials {
  const known = fields.map(({ name }) => name);
  const messages = Object.keys(sent).some((name) => !known.includes(name))
    ? [`credentials has a field that the carrier does not know; it knows ${known.join(', ')}`]
    : [];
  for (const { name, optional } of fields) {
    const value = sent[name];
    if (value === undefined || value === null || value === '') {
      if (!optional) messages.push(`credentials.${name} is required`);
    } else if (typeof value !== 'string' || !CREDENTIAL.test(value)) {
      messages.push(`credentials.${name} must be 8 to 500 printable ASCII characters without spaces`);
    }
  }
  if (messages.length > 0) return { ok: false, messages };
  const given = Object.entries(sent).filter(([, value]) => typeof value === 'string' && value !== '');
  return { ok: true, credentials: Object.fromEntries(given) as Record<string, string> };
}
