import { type Request } from 'express';
import { AppError, invalid, type Problem, problemOf } from '../../http/app-error.js';
import { isUuid } from '../../http/validators.js';
import { IMPORT_MODES, type ImportMode } from '../import.entity.js';

/** How a file is imported. */
export interface ImportOptions {
  mode: ImportMode;
  /** null: rows without a `campaignId` are not enrolled. */
  campaignId: string | null;
  version: 'current' | 'draft' | { id: string };
}

export type UploadFormat = 'csv' | 'ndjson';

/** What the body of an upload is. */
export interface UploadFormats {
  format: UploadFormat;
  isCompressed: boolean;
}

const PARAMETERS = ['campaignId', 'version', 'mode'];
const FORMATS: Record<string, UploadFormat> = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson' };
const UTF8 = /^\s*charset\s*=\s*"?(?:utf-?8|us-ascii)"?\s*$/i;

/** @throws AppError `INVALID_REQUEST` naming every bad parameter. */
export function readImportOptions(query: Request['query']): ImportOptions {
  const faults: Problem[] = [];
  const sent: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(query)) {
    if (!PARAMETERS.includes(name)) {
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
  if (faults.length > 0 || known === undefined) throw invalid(...faults);
  return {
    mode: known,
    campaignId: campaignId?.toLowerCase() ?? null,
    version: isNamed ? version : { id: version.toLowerCase() },
  };
}

/** @throws AppError `UNSUPPORTED_ENCODING`. */
export function readUploadFormats({ headers }: Pick<Request, 'headers'>): UploadFormats {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';');
  const format = FORMATS[type.trim().toLowerCase()];
  if (format === undefined) {
    throw new AppError('UNSUPPORTED_ENCODING', `Content-Type must be ${Object.keys(FORMATS).join(' or ')}`);
  }
  const charset = parameters.find((parameter) => /^\s*charset\s*=/i.test(parameter));
  if (charset !== undefined && !UTF8.test(charset)) {
    throw new AppError('UNSUPPORTED_ENCODING', 'The charset of the body must be UTF-8');
  }
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  if (!['', 'identity', 'gzip'].includes(encoding)) {
    throw new AppError('UNSUPPORTED_ENCODING', 'Content-Encoding must be gzip, or none');
  }
  return { format, isCompressed: encoding === 'gzip' };
}

/** One text of the options, by which two requests with the same `Idempotency-Key` are compared. */
export function textOfOptions(
  { mode, campaignId, version }: ImportOptions,
  { format, isCompressed }: UploadFormats,
): string {
  return JSON.stringify([mode, campaignId, version, format, isCompressed]);
}
