import { Injectable, Logger } from '@nestjs/common';
import { notCalledWarnings } from '../../campaigns/enrollment/campaign-warnings.js';
import { ARCHIVED } from '../../campaigns/enrollment/enroll-refusals.js';
import { violatedConstraint } from '../../database/database-errors.js';
import { limitLockWaits, team } from '../../database/team-scope.js';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { query, type Query, Transactions } from '../../database/transactions.js';
import { type ContactColumn } from '../../domain/contact-columns.js';
import { type Warning } from '../../domain/near-misses.js';
import { AppError, invalid, notFound } from '../../http/app-error.js';
import { describeError } from '../../telemetry/describe-error.js';
import {
  BEGIN_IMPORT,
  CAMPAIGN_OF_IMPORT,
  type CampaignOfImportRow,
  FAIL_STALE_UPLOAD,
  FAIL_UPLOAD,
  FINISH_UPLOAD,
} from '../sql/upload.sql.js';
import { decompressed, UploadEndedError } from './body-pieces.js';
import { textOf } from './encoding.js';
import { MAX_OPEN } from '../limits.js';
import { endedMeanwhile, type StagedImport, Staging } from './staging.js';
import { type ImportOptions, readImportOptions, type UploadFormats } from './upload-options.js';
import { CsvReader, NdjsonReader, type RowReader } from './uploaded-rows.js';

/** How an import enrolls its contacts. */
interface ImportEnrollment {
  /** Null: the import has no campaign. */
  versionId: string | null;
  /** Why the enrolled contacts will not be called. */
  warnings: readonly Warning[];
}

/** Stores uploaded files for the worker. The bytes of a file arrive by HTTP or from the command line. */
@Injectable()
export class ImportIntake {
  private readonly logger = new Logger(ImportIntake.name);

  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
  ) {}

  /**
   * Imports a file as a whole.
   * @param parameters as over HTTP. @param isGuessed as of {@link ImportOptions}. @returns the import's id. @throws as {@link begin} and {@link store}.
   */
  async take(
    teamId: string,
    parameters: Record<string, string | string[] | undefined>,
    formats: UploadFormats,
    pieces: AsyncIterable<Buffer>,
    { isGuessed = false } = {},
  ): Promise<string> {
    const options = { ...readImportOptions(parameters), isGuessed };
    const { versionId } = await this.enrollmentOf(teamId, options);
    const staged = await this.begin(teamId, options, versionId);
    try {
      await this.store(staged, formats, options, pieces);
      const finished = await this.transactions.within(team(teamId)).autocommit(this.finishing(staged));
      if (finished.length === 0) throw endedMeanwhile();
      return staged.id;
    } catch (error) {
      await this.fail(staged, error);
      throw error;
    }
  }

  /**
   * The version on which rows are enrolled. An import can load a campaign that is not active yet.
   * @throws AppError `NOT_FOUND`, or `UNPROCESSABLE` for an archived campaign.
   */
  async enrollmentOf(teamId: string, { campaignId, version }: ImportOptions): Promise<ImportEnrollment> {
    if (campaignId === null) return { versionId: null, warnings: [] };
    const [kind, id] = typeof version === 'string' ? [version, null] : ['id', version.id];
    const [campaign] = await this.transactions
      .within(team(teamId))
      .read<CampaignOfImportRow>(query(CAMPAIGN_OF_IMPORT, teamId, campaignId, kind, id));
    if (campaign === undefined) throw notFound('Campaign');
    if (campaign.version_id === null) throw notFound('Campaign version');
    if (campaign.status === 'archived') throw new AppError('UNPROCESSABLE', ARCHIVED);
    const warnings = notCalledWarnings({ status: campaign.status, hasSteps: campaign.has_steps });
    return { versionId: campaign.version_id, warnings };
  }

  /** @throws AppError `CONFLICT` during another upload of the team, or if the team has too many imports. */
  async begin(
    teamId: string,
    { type, mode, campaignId, isStrict, isHeld }: ImportOptions,
    versionId: string | null,
  ): Promise<StagedImport> {
    const beginning = query(BEGIN_IMPORT, teamId, mode, campaignId, versionId, isStrict, type);
    try {
      const [, , begun] = await this.semaphore.runWithLocks(teamId, () =>
        this.transactions
          .within(team(teamId))
          .inOneRoundTrip([limitLockWaits(), query(FAIL_STALE_UPLOAD, teamId), beginning]),
      );
      const row = begun?.rows[0] as { id: string } | undefined;
      if (row !== undefined) return { id: row.id, teamId, type, isHeld };
    } catch (error) {
      if (violatedConstraint(error) !== 'uq_imports_staging') throw error;
      throw new AppError('CONFLICT', 'Another import of the team is being uploaded');
    }
    throw new AppError('CONFLICT', `The team has ${MAX_OPEN} imports that are not finished`);
  }

  /**
   * Stores the rows of a file as it arrives.
   *
   * @returns the columns of a CSV file; null for NDJSON.
   * @throws AppError `INVALID_REQUEST` or `PAYLOAD_TOO_LARGE` for the file, `CONFLICT` where the import was
   *   canceled; what `pieces` throws.
   */
  async store(
    staged: StagedImport,
    formats: UploadFormats,
    options: ImportOptions,
    pieces: AsyncIterable<Buffer>,
  ): Promise<ContactColumn[] | null> {
    const staging = new Staging(staged, this.transactions.within(team(staged.teamId)), this.semaphore);
    const open = whileOpen(pieces, () => staging.assertOpen());
    const reader = readerOf(open, formats, options);
    await staging.store(reader);
    return reader.columns;
  }

  /**
   * The statement that lets the worker process the import, or holds it. It returns no row if the upload has ended.
   */
  finishing({ id, teamId, isHeld }: StagedImport): Query {
    return query(FINISH_UPLOAD, id, teamId, isHeld);
  }

  /**
   * Marks an upload as failed. If this fails, nothing renews the upload's lease. A worker marks the upload as
   * failed after the lease has expired.
   */
  async fail({ id, teamId }: StagedImport, error: unknown): Promise<void> {
    const isOurs = error instanceof AppError || error instanceof UploadEndedError;
    const message = isOurs ? error.message : 'An unexpected error ended the upload';
    const failing = query(FAIL_UPLOAD, id, teamId, message);
    await this.transactions
      .within(team(teamId))
      .autocommit(failing)
      .catch((failure: unknown) =>
        this.logger.warn(`import ${id} is not marked as failed: ${describeError(failure)}`),
      );
  }
}

/** Reads the rows of a file. @throws AppError `INVALID_REQUEST` for columns of a file that has none. */
export function readerOf(
  pieces: AsyncIterable<Buffer>,
  { format, isCompressed }: UploadFormats,
  { type, overrides, isGuessed }: ImportOptions,
): RowReader {
  if (format === 'ndjson' && overrides.length > 0) throw invalid('map is only for CSV');
  const text = textOf(decompressed(pieces, isCompressed));
  return format === 'csv' ? new CsvReader(text, overrides, type, isGuessed) : new NdjsonReader(text);
}

async function* whileOpen(pieces: AsyncIterable<Buffer>, onPiece: () => void): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    onPiece();
    yield piece;
  }
}
