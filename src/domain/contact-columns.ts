import { type ConsentField } from './consent-fields.js';
import { CONTACT_FIELD_NAMES, forEachField } from './contact-fields.js';
import { trimmed } from './trimmed.js';

/** The fields of a contact, and of its request, that a column of a file can be. */
export const COLUMN_FIELDS = [
  'phoneNumber' as const,
  ...CONTACT_FIELD_NAMES,
  'campaignId' as const,
  'teamId' as const,
];
export type ColumnField = (typeof COLUMN_FIELDS)[number];

/** The column of an export that has all custom properties as one JSON object. */
export const PROPERTIES_COLUMN = 'customProperties';
/** The column of an export with the ids of its contacts. An import finds contacts by their numbers. */
export const ID_COLUMN = 'contactId';

/** The first columns of the file of failed rows. If such a file is imported again, they are ignored. */
export const FAILED_ROW_COLUMNS = ['row', 'error'];

/** A half of a name, which makes the name together with the other half. */
export type NamePart = 'first' | 'last';

/**
 * What a column of a file is: a field, a custom property, or both, as a half of a name is. If it is neither,
 * the column is ignored.
 */
export interface ContactColumn {
  /** The column's name in the file. */
  header: string;
  /** Of a file of consents, a field of a consent. */
  field: ColumnField | ConsentField | typeof PROPERTIES_COLUMN | null;
  customProperty: string | null;
  /** Set if the field is `name` and the column is half of it. */
  part: NamePart | null;
}

/** What a request says of a column. The targets that are no fields are `property` and `ignore`. */
export interface ColumnOverride {
  header: string;
  target: ColumnTarget;
}

/** Those of a file of contacts. */
export const COLUMN_TARGETS = [...COLUMN_FIELDS, 'firstName', 'lastName', 'property', 'ignore'] as const;
export type ColumnTarget = (typeof COLUMN_TARGETS)[number] | ConsentField;

export type MappedColumns = { ok: true; columns: ContactColumn[] } | { ok: false; message: string };

/**
 * How the files of HubSpot, Salesforce, Google Contacts, Outlook, VICIdial and others name the fields, as
 * {@link plainName}s.
 */
const ALIASES: Record<ColumnField, readonly string[]> = {
  phoneNumber: [
    'phone',
    'phoneno',
    'phone1',
    'phone1value',
    'primaryphone',
    'contactphone',
    'contactnumber',
    'mobile',
    'mobileno',
    'mobilenumber',
    'mobilephone',
    'mobilephonenumber',
    'cell',
    'cellnumber',
    'cellphone',
    'cellphonenumber',
    'tel',
    'telephone',
    'telephoneno',
    'telephonenumber',
    'msisdn',
  ],
  ...forEachField(({ headers }) => headers),
  campaignId: [],
  teamId: [],
};

const NAME_PARTS: Record<NamePart, readonly string[]> = {
  first: ['firstname', 'givenname', 'forename'],
  last: ['lastname', 'familyname', 'surname'],
};

const SEPARATING = /[\s_\u00AD\u200B-\u200D\u2060\uFEFF\p{Pd}]/gu;

/** A column's name by which it is recognised: without regard to case, spaces, `_` and `-`. */
export function plainName(header: string): string {
  return header.normalize('NFKC').replace(SEPARATING, '').toLowerCase();
}

/**
 * Whether a column may have phone numbers: it has the name of the field, or one that other products give it.
 */
export function mayBeNumber(header: string): boolean {
  const plain = plainName(header);
  return plain === 'phonenumber' || ALIASES.phoneNumber.includes(plain);
}

/**
 * The columns of a file with a header. A column is the field whose name it has, else the field with such an
 * alias; every other column is a custom property. Of the phone numbers, only a column that is named exactly
 * as the field has precedence over aliases, because the wrong choice would call another number.
 *
 * The message of a refusal names columns only if they have known names, or were named by the request.
 *
 * @param headers trimmed, and different from each other.
 * @param overrides have precedence.
 */
export function mapColumns(headers: readonly string[], overrides: readonly ColumnOverride[]): MappedColumns {
  const targets = new Map<number, ColumnTarget>();
  for (const { header, target } of overrides) {
    const at = columnNamed(headers, header);
    if (at === null) return refuse(`The header has no column "${header}", which map names`);
    if (targets.has(at)) return refuse(`map names the column "${header}" twice`);
    targets.set(at, target);
  }
  const claims = new Map<number, ColumnField>();
  for (const field of COLUMN_FIELDS) {
    const found = claimants(headers, field, targets);
    const [first, second] = found;
    if (first === undefined) continue;
    if (second !== undefined) return refuse(bothAre(headers, found, field));
    claims.set(first, field);
  }
  const halves = halvesOf(headers, targets, [...claims.values()].includes('name'));
  if (typeof halves === 'string') return refuse(halves);
  if (![...claims.values()].includes('phoneNumber')) {
    return refuse(
      'The header must have the column phoneNumber, or one that is named Phone, Mobile or similar; map=Column:phoneNumber names another one',
    );
  }
  return { ok: true, columns: columnsOf(headers, { targets, claims, halves }) };
}

/**
 * What the columns of a file seem to be, for a person who then chooses. Of several columns for a field the first is
 * taken, except for the phone number: which of several numbers is called is not guessed, so none is taken.
 *
 * @param headers trimmed, and different from each other.
 */
export function guessColumns(headers: readonly string[]): ContactColumn[] {
  const targets = new Map<number, ColumnTarget>();
  const claims = new Map<number, ColumnField>();
  for (const field of COLUMN_FIELDS) {
    const [first, second] = claimants(headers, field, targets);
    if (first !== undefined && (second === undefined || field !== 'phoneNumber')) claims.set(first, field);
  }
  const halves = new Map<number, NamePart>();
  if (![...claims.values()].includes('name')) {
    for (const part of ['first', 'last'] as const) {
      const at = headers.findIndex((header) => NAME_PARTS[part].includes(plainName(header)));
      if (at !== -1) halves.set(at, part);
    }
  }
  return columnsOf(headers, { targets, claims, halves });
}

/** What was found out about the columns of a file, by their places. */
interface FoundColumns {
  targets: ReadonlyMap<number, ColumnTarget>;
  claims: ReadonlyMap<number, ColumnField>;
  halves: ReadonlyMap<number, NamePart>;
}

function columnsOf(headers: readonly string[], { targets, claims, halves }: FoundColumns): ContactColumn[] {
  const isExport = headers.includes(PROPERTIES_COLUMN);
  const hasFailedRows = FAILED_ROW_COLUMNS.every((name, at) => headers[at] === name);
  return headers.map((header, at) => {
    const target = targets.get(at);
    const field = claims.get(at) ?? null;
    const part = halves.get(at) ?? null;
    const column = { header, field, customProperty: null, part };
    if (field !== null || target === 'ignore') return column;
    if (part !== null) return { ...column, field: 'name', customProperty: header };
    if (target === undefined && header === PROPERTIES_COLUMN) return { ...column, field: header };
    const isOurs = (isExport && header === ID_COLUMN) || (hasFailedRows && at < FAILED_ROW_COLUMNS.length);
    if (target === undefined && isOurs) return column;
    return { ...column, customProperty: header };
  });
}

/**
 * Whether a file was made by the product, as an export or as the failed rows of an import. Its cells have
 * apostrophes before what a spreadsheet would run as a formula.
 */
export function hasGuards(columns: readonly ContactColumn[]): boolean {
  return columns.some(({ field }) => field === PROPERTIES_COLUMN) || isOfFailedRows(columns);
}

/** Whether a file has the failed rows of an earlier import, whose first columns are ignored. */
export function isOfFailedRows(columns: readonly ContactColumn[]): boolean {
  return FAILED_ROW_COLUMNS.every((name, at) => {
    const column = columns[at];
    return column?.header === name && column.field === null && column.customProperty === null;
  });
}

/** The columns of a field: one, none, or several between which only the request can decide. */
function claimants(
  headers: readonly string[],
  field: ColumnField,
  targets: ReadonlyMap<number, ColumnTarget>,
): number[] {
  const chosen = headers.flatMap((_, at) => (targets.get(at) === field ? [at] : []));
  if (chosen.length > 0) return chosen;
  const where = (isIt: (header: string) => boolean) =>
    headers.flatMap((header, at) => (!targets.has(at) && isIt(header) ? [at] : []));
  const own = where((header) => plainName(header) === field.toLowerCase());
  const aliases = where((header) => ALIASES[field].includes(plainName(header)));
  const exact = own.filter((at) => headers[at] === field);
  if (exact.length > 0) return exact;
  if (field === 'phoneNumber') return [...own, ...aliases].sort((one, two) => one - two);
  return own.length > 0 ? own : aliases;
}

/** The halves of the name, or why they cannot be told. @param named whether a column has the whole name. */
function halvesOf(
  headers: readonly string[],
  targets: ReadonlyMap<number, ColumnTarget>,
  named: boolean,
): Map<number, NamePart> | string {
  const halves = new Map<number, NamePart>();
  for (const part of ['first', 'last'] as const) {
    const chosen = headers.flatMap((_, at) => (targets.get(at) === `${part}Name` ? [at] : []));
    if (named && chosen.length > 0) return `map names a whole name and its ${part} half`;
    if (named) continue;
    const known = headers.flatMap((header, at) =>
      !targets.has(at) && NAME_PARTS[part].includes(plainName(header)) ? [at] : [],
    );
    const found = chosen.length > 0 ? chosen : known;
    if (found.length > 1) return bothAre(headers, found, `${part}Name`);
    for (const at of found) halves.set(at, part);
  }
  return halves;
}

/** The column with a name, else the only one whose name is the same without regard to case and spaces. */
function columnNamed(headers: readonly string[], name: string): number | null {
  const exact = headers.indexOf(trimmed(name));
  if (exact !== -1) return exact;
  const plain = plainName(name);
  const [at, another] = headers.flatMap((header, n) => (plainName(header) === plain ? [n] : []));
  return at === undefined || another !== undefined ? null : at;
}

function bothAre(headers: readonly string[], found: readonly number[], target: string): string {
  const names = found.map((at) => `"${headers[at]}"`);
  const [first] = found;
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return `The columns ${list} are ${found.length === 2 ? 'both' : 'all'} ${target}; choose one, for example with map=${headers[first ?? 0]}:${target}`;
}

function refuse(message: string): MappedColumns {
  return { ok: false, message };
}
