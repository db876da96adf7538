import {
  type ColumnOverride,
  type ContactColumn,
  type MappedColumns,
  mayBeNumber,
  plainName,
} from './contact-columns.js';
import { CONSENT_FIELDS, type ConsentField } from './consent-fields.js';
import { trimmed } from './trimmed.js';

/** The fields without which no row is a consent. */
export const REQUIRED_OF_CONSENT: readonly ConsentField[] = ['phoneNumber', 'level', 'source', 'grantedAt'];

/** Usual other names of columns, as {@link plainName}s. */
const ALIASES: Record<Exclude<ConsentField, 'phoneNumber'>, readonly string[]> = {
  level: ['consent', 'consentlevel'],
  purpose: ['consentpurpose'],
  voice: ['consentvoice'],
  source: ['consentsource', 'optinsource'],
  evidence: ['consentevidence', 'proof'],
  grantedAt: ['granted', 'consentat', 'consentedat', 'consentdate', 'optinat', 'optindate'],
  expiresAt: ['expires', 'consentexpires', 'consentexpiresat'],
};

/**
 * The columns of a file with consents: each is the field whose name or usual other name it has. All others are ignored.
 *
 * @param headers trimmed, and different from each other.
 * @param overrides have precedence.
 */
export function mapConsentColumns(
  headers: readonly string[],
  overrides: readonly ColumnOverride[],
): MappedColumns {
  const targets = new Map<string, ColumnOverride['target']>();
  for (const { header, target } of overrides) {
    const name = trimmed(header);
    if (!headers.includes(name)) return refuse(`The header has no column "${header}", which map names`);
    if (targets.has(name)) return refuse(`map names the column "${header}" twice`);
    targets.set(name, target);
  }
  const claims = new Map<string, ConsentField>();
  for (const field of CONSENT_FIELDS) {
    const [first, second] = claimants(headers, field, targets);
    if (second !== undefined)
      return refuse(
        `The columns "${first}" and "${second}" may both be ${field}; choose one, for example with map=${first}:${field}`,
      );
    if (first !== undefined) claims.set(first, field);
    else if (REQUIRED_OF_CONSENT.includes(field))
      return refuse(`The header must have the column ${field}; map=Column:${field} names another one`);
  }
  return { ok: true, columns: columnsOf(headers, claims) };
}

/**
 * What the columns seem to be, for a person who then chooses: of several columns for a field the first, and for the
 * phone number none.
 *
 * @param headers trimmed, and different from each other.
 */
export function guessConsentColumns(headers: readonly string[]): ContactColumn[] {
  const claims = new Map<string, ConsentField>();
  for (const field of CONSENT_FIELDS) {
    const [first, second] = claimants(headers, field, new Map());
    if (first !== undefined && (second === undefined || field !== 'phoneNumber')) claims.set(first, field);
  }
  return columnsOf(headers, claims);
}

function columnsOf(headers: readonly string[], claims: ReadonlyMap<string, ConsentField>): ContactColumn[] {
  return headers.map((header) => ({
    header,
    field: claims.get(header) ?? null,
    customProperty: null,
    part: null,
  }));
}

/** The columns of a field: one, none, or several between which only the request can decide. */
function claimants(
  headers: readonly string[],
  field: ConsentField,
  targets: ReadonlyMap<string, ColumnOverride['target']>,
): readonly string[] {
  const chosen = headers.filter((header) => targets.get(header) === field);
  if (chosen.length > 0) return chosen;
  const free = headers.filter((header) => !targets.has(header));
  const exact = free.filter((header) => header === field);
  if (exact.length > 0) return exact;
  if (field === 'phoneNumber') return free.filter(mayBeNumber);
  const own = free.filter((header) => plainName(header) === field.toLowerCase());
  return own.length > 0 ? own : free.filter((header) => ALIASES[field].includes(plainName(header)));
}

function refuse(message: string): MappedColumns {
  return { ok: false, message };
}
