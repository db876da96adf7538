import { type BatchCampaign, readBatched, type ReadRow } from '../../contacts/contact-batch.js';
import { type ContactColumn } from '../../domain/contact-columns.js';
import { type TeamSettingValues } from '../../domain/team-settings.js';
import { rowReader, type UploadedRow } from './row-reader.js';

/** The error of a row that an erasure has removed. */
export const ERASED = 'The row was removed, because a contact with its number was erased';

/** How the rows of an import are read. */
export interface RowRules
  extends BatchCampaign, Pick<TeamSettingValues, 'defaultCountry' | 'acceptUnknownRanges'> {
  teamId: string;
  /** Whether a malformed e-mail address is an error. */
  isStrict: boolean;
}

/**
 * Checks the rows of a file one by one, without the database.
 * @param columns of a CSV file; null for NDJSON.
 */
export function rowChecker(
  columns: readonly ContactColumn[] | null,
  { teamId, defaultCountry, campaignId, versionId, isStrict, acceptUnknownRanges }: RowRules,
): (row: UploadedRow) => ReadRow {
  const read = rowReader(columns);
  return (row) => {
    if (row === null) return { ok: false, message: ERASED };
    const body = read(row);
    if (!body.ok) return body;
    const options = { isStrict, acceptUnknownRanges };
    return readBatched(body.value, teamId, defaultCountry, { campaignId, versionId }, options);
  };
}
