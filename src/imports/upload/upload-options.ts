import { type Request } from 'express';
import { type ColumnOverride } from '../../domain/contact-columns.js';
import { AppError, invalid, type Problem, problemOf } from '../../http/app-error.js';
import { isUuid } from '../../http/validators.js';
import { IMPORT_MODES, IMPORT_TYPES, type ImportMode, type ImportType } from '../import.entity.js';
import { TARGETS } from '../import-targets.js';
import { MAX_COLUMNS } from '../limits.js';

const COLUMN_AND_TARGET = /^(.{1,200}?)\s*:\s*(\w*)$/su;

/** How a file is imported. */
export interface ImportOptions {
  type: ImportType;
  mode: ImportMode;
  /** null: rows without a `campaignId` are not enrolled. */
  campaignId: string | null;
  version: 'current' | 'draft' | { id: string };
  /** What columns of a CSV file are, other than by their names. */
  overrides: ColumnOverride[];
  /** Whether a row with a malformed e-mail address is an error; else its contact is stored without it. */
  isStrict: boolean;
  /** Whether the file is only read, and nothing is stored. */
  isDryRun: boolean;
  /** Whether the worker waits until the import is started. */
  isHeld: boolean;
  /** Whether no column has to be there yet, because a person chooses before the import starts. */
  isGuessed: boolean;
}

export type UploadFormat = 'csv' | 'ndjson';

/** What the body of an upload is. */
export interface UploadFormats {
  format: UploadFormat;
  isCompressed: boolean;
}

const PARAMETERS = ['type', 'campaignId', 'version', 'mode', 'strict', 'dryRun', 'hold'];
/** The parameters that an import of another type than contacts does not have. */
const OF_CONTACTS = ['campaignId', 'version', 'mode', 'strict'];
/** The parameters that are `true` or `false`. */
const FLAGS = ['strict', 'dryRun', 'hold'] as const;
/** Sent once for each column. */
const MAP = 'map';
const FORMATS: Record<string, UploadFormat> = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson' };
const READABLE = /^\s*charset\s*=\s*"?(?:utf-?8|utf-?16|us-ascii)"?\s*$/i;

/** @throws AppError `INVALID_REQUEST` naming every bad parameter. */
export function readImportOptions(query: Request['query']): ImportOptions {
  const faults: Problem[] = [];
  const sent: Record<string, string | undefined> = {};
  const overrides: ColumnOverride[] = [];
  const typeNamed = typeof query.type === 'string' && query.type !== '' ? query.type : 'contacts';
  const type = IMPORT_TYPES.find((one) => one === typeNamed);
  for (const [name, value] of Object.entries(query)) {
    if (name === MAP) {
      const { read, wrong } = readOverrides(value, type ?? 'contacts');
      overrides.push(...read);
      faults.push(...wrong);
    } else if (!PARAMETERS.includes(name)) {
      const spoken = /^\w{1,40}$/.test(name) ? name : null;
      const message = `${spoken ?? 'A query parameter'} is not a parameter of imports`;
      faults.push(problemOf(message, spoken ?? ''));
    } else if (typeof value !== 'string') faults.push(problemOf(`${name} must be sent once`, name));
    else if (value !== '') sent[name] = value;
  }
  const { campaignId, version = 'current', mode = 'upsert' } = sent;
  if (campaignId !== undefined && !isUuid(campaignId)) faults.push(problemOf('campaignId must be a UUID'));
  const isNamed = version === 'current' || version === 'draft';
  if (!isNamed && !isUuid(version))
    faults.push(problemOf('version must be current, draft or the id of a campaign version'));
  if (sent.version !== undefined && campaignId === undefined)
    faults.push(problemOf('version needs a campaignId'));
  const known = IMPORT_MODES.find((one) => one === mode);
  if (known === undefined) faults.push(problemOf(`mode must be one of ${IMPORT_MODES.join(', ')}`));
  for (const flag of FLAGS)
    if (!['true', 'false', undefined].includes(sent[flag]))
      faults.push(problemOf(`${flag} must be true or false`));
  if (type === undefined) faults.push(problemOf(`type must be one of ${IMPORT_TYPES.join(', ')}`));
  else if (type !== 'contacts') {
    for (const name of OF_CONTACTS)
      if (sent[name] !== undefined) faults.push(problemOf(`${name} is only for imports of contacts`));
    if (type === 'suppressions' && sent.dryRun !== undefined)
      faults.push(problemOf('dryRun is only for imports of contacts and of consents'));
  }
  if (sent.dryRun === 'true' && sent.hold === 'true')
    faults.push(problemOf('hold needs an import, and dryRun stores none'));
  if (faults.length > 0 || known === undefined || type === undefined) throw invalid(...faults);
  return {
    type,
    mode: known,
    campaignId: campaignId?.toLowerCase() ?? null,
    version: isNamed ? version : { id: version.toLowerCase() },
    overrides,
    isStrict: sent.strict === 'true',
    isDryRun: sent.dryRun === 'true',
    isHeld: sent.hold === 'true',
    isGuessed: false,
  };
}

/** Each `map` is the name of a column, which may contain colons, a colon, and a target. */
function readOverrides(value: unknown, type: ImportType): { read: ColumnOverride[]; wrong: Problem[] } {
  const read: ColumnOverride[] = [];
  const wrong = new Set<string>();
  const ofType = type === 'contacts' ? '' : ` for ${type}`;
  for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
    const [, header = '', named = ''] = (typeof one === 'string' && COLUMN_AND_TARGET.exec(one)) || [];
    const target = TARGETS[type].find((known) => known === named);
    if (header === '') wrong.add('map must be the name of a column, a colon, and what the column is');
    else if (target === undefined) wrong.add(`map must end with one of ${TARGETS[type].join(', ')}${ofType}`);
    else read.push({ header, target });
  }
  if (read.length > MAX_COLUMNS) wrong.add(`map must be sent at most ${MAX_COLUMNS} times`);
  return { read, wrong: [...wrong].map((message) => problemOf(message, MAP)) };
}

/** @throws AppError `UNSUPPORTED_ENCODING`. */
export function readUploadFormats({ headers }: Pick<Request, 'headers'>): UploadFormats {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';');
  const format = FORMATS[type.trim().toLowerCase()];
  if (format === undefined) {
    throw new AppError('UNSUPPORTED_ENCODING', `Content-Type must be ${Object.keys(FORMATS).join(' or ')}`);
  }
  const charset = parameters.find((parameter) => /^\s*charset\s*=/i.test(parameter));
  if (charset !== undefined && !READABLE.test(charset)) {
    throw new AppError(
      'UNSUPPORTED_ENCODING',
      'The charset of the body must be UTF-8, or UTF-16 with a byte order mark',
    );
  }
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  if (!['', 'identity', 'gzip'].includes(encoding)) {
    throw new AppError('UNSUPPORTED_ENCODING', 'Content-Encoding must be gzip, or none');
  }
  return { format, isCompressed: encoding === 'gzip' };
}

/** One text of the options, by which two requests with the same `Idempotency-Key` are compared. */
export function textOfOptions(
  { type, mode, campaignId, version, overrides, isStrict, isHeld }: ImportOptions,
  { format, isCompressed }: UploadFormats,
): string {
  // The text of a request without newer options stays the same, because the key may be of an earlier version.
  const newer = [...(isHeld ? ['hold'] : []), ...(type === 'contacts' ? [] : [type])];
  return JSON.stringify([mode, campaignId, version, format, isCompressed, overrides, isStrict, ...newer]);
}
