import { createHash, type Hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { limitLockWaits, team, teamOfKey } from '../../database/team-scope.js';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { Transactions, type TransactionStep } from '../../database/transactions.js';
import { type ContactColumn } from '../../domain/contact-columns.js';
import { toChange } from '../../domain/key-scopes.js';
import { type Warning } from '../../domain/near-misses.js';
import { AppError, invalid } from '../../http/app-error.js';
import { openBodyStream } from '../../http/request-body.js';
import {
  idempotencyKeyNameOf,
  checkKey,
  type KeyUse,
  openKey,
  type StoredAnswer,
  storeAnswer,
} from '../../idempotency/idempotency.js';
import { inFlight, type OnceAnswer, reused } from '../../idempotency/run-once.js';
import { type AdmittedKey, admittedKeyOf } from '../../teams/key-of-request.js';
import { requireScope } from '../../teams/key-scope.guard.js';
import { columnViewsOf, type ImportStarted } from '../import-view.js';
import { decompressed, piecesOf, UploadEndedError } from './body-pieces.js';
import { ImportIntake } from './intake.service.js';
import { UPLOAD_MEMORY } from '../limits.js';
import { ImportLooks } from './looks.service.js';
import { endedMeanwhile, type StagedImport } from './staging.js';
import {
  type ImportOptions,
  readImportOptions,
  readUploadFormats,
  textOfOptions,
  type UploadFormats,
} from './upload-options.js';

/** A request to import, whose head has been read. */
interface Upload {
  request: Request;
  by: AdmittedKey;
  options: ImportOptions;
  formats: UploadFormats;
  /** `Idempotency-Key`; null: none was sent. */
  key: string | null;
  /**
   * The hash of the options and of the bytes as they were sent. It is complete when the body has been read.
   */
  fingerprint: Hash;
}

/** A staged import, and the warnings of its answer. */
type AnsweredImport = StagedImport & { warnings: readonly Warning[] };

/** An upload whose rows are stored. `columns`: those of a CSV file. */
interface StoredUpload {
  staged: AnsweredImport;
  columns: ContactColumn[] | null;
}

/**
 * Uploads of files by HTTP. Rows are stored as they arrive. When all rows are stored, the worker may process
 * the import.
 */
@Injectable()
export class UploadsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly intake: ImportIntake,
    private readonly looks: ImportLooks,
  ) {}

  /**
   * Stores the file that a request sends. An upload that fails, or is cut off, leaves a `failed` import. A dry
   * run only reads the file, and leaves nothing.
   *
   * @throws AppError `INVALID_REQUEST`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_ENCODING`, `RATE_LIMITED`;
   *   `NOT_FOUND` and `UNPROCESSABLE` for the campaign; `CONFLICT` during another upload of the team; the
   *   errors of other requests with an `Idempotency-Key`.
   */
  async take(request: Request): Promise<OnceAnswer> {
    const upload = read(request);
    const { by, key, options } = upload;
    if (options.isDryRun) return this.look(upload);
    if (key !== null && (await this.isKnown(upload, key))) return this.compare(upload);
    const { versionId, warnings } = await this.intake.enrollmentOf(by.teamId, options);
    open(request);
    const staged = { ...(await this.intake.begin(by.teamId, options, versionId)), warnings };
    try {
      const pieces = hashed(piecesOf(request), upload.fingerprint);
      const columns = await this.intake.store(staged, upload.formats, options, pieces);
      const answer = await this.finish(upload, { staged, columns });
      if (answer.replayed)
        await this.intake.fail(staged, new UploadEndedError('Another upload had the same key'));
      return answer;
    } catch (error) {
      await this.intake.fail(staged, error);
      throw hinted(error, upload, { importId: staged.id });
    }
  }

  /** What an import of the file would do. An `Idempotency-Key` has no effect, because nothing is stored. */
  private async look(upload: Upload): Promise<OnceAnswer> {
    const { request, by, options, formats, fingerprint } = upload;
    open(request);
    try {
      const pieces = hashed(piecesOf(request), fingerprint);
      const look = await this.looks.look(by.teamId, options, formats, pieces);
      return { status: 200, body: { ...look }, replayed: false };
    } catch (error) {
      throw hinted(error, upload);
    }
  }

  /**
   * Returns the stored answer of the key, if the body is the same as that of the first request with the key.
   */
  private async compare(upload: Upload): Promise<OnceAnswer> {
    open(upload.request);
    try {
      for await (const piece of decompressed(piecesOf(upload.request), false))
        upload.fingerprint.update(piece);
    } catch (error) {
      throw refusalOf(error);
    }
    return this.finish(upload, null);
  }

  /**
   * Whether the key has a stored answer. If it has one, the body is only compared, and not imported.
   * @throws AppError `CONFLICT` while the first request with the key is in flight.
   */
  private async isKnown({ by }: Upload, key: string): Promise<boolean> {
    const unknown = { key, fingerprint: Buffer.alloc(0) };
    const use = await this.transactions
      .within(teamOfKey(by.keyHash))
      .run<KeyUse>(openKey(by.keyHash, unknown), ([locked, found]) => ({
        rollback: checkKey(unknown, locked, found),
      }));
    if (use.kind === 'in_flight') throw inFlight();
    return use.kind !== 'unused';
  }

  /**
   * Lets the worker process the import, or returns the stored answer of the key.
   * @param stored null: the key has an answer.
   */
  private async finish(
    { by, key: name, fingerprint }: Upload,
    stored: StoredUpload | null,
  ): Promise<OnceAnswer> {
    if (name === null) {
      if (stored === null) throw new Error('There is nothing to finish');
      const own = this.transactions.within(team(by.teamId));
      if ((await own.autocommit(this.intake.finishing(stored.staged))).length === 0) throw endedMeanwhile();
      return { ...answerOf(stored), replayed: false };
    }
    const key = { key: name, fingerprint: fingerprint.digest() };
    return this.semaphore.runWithLocks(by.teamId, () =>
      this.transactions
        .within(teamOfKey(by.keyHash))
        .run<OnceAnswer>([limitLockWaits(), ...openKey(by.keyHash, key)], ([, locked, found]) => {
          const use = checkKey(key, locked, found);
          if (use.kind === 'reused') throw reused();
          if (use.kind === 'replay') return { rollback: { ...use.answer, replayed: true } };
          // If `stored` is null, the key had an answer when the upload began. That answer has expired since.
          if (use.kind === 'in_flight' || stored === null) throw inFlight();
          return this.finishing(by.teamId, key, stored);
        }),
    );
  }

  private finishing(
    teamId: string,
    key: { key: string; fingerprint: Buffer },
    stored: StoredUpload,
  ): TransactionStep<OnceAnswer> {
    const answer = answerOf(stored);
    return {
      next: [this.intake.finishing(stored.staged)],
      decide: ([finished]) => {
        if (finished?.rows.length !== 1) throw endedMeanwhile();
        return {
          commit: [storeAnswer(teamId, key, answer)],
          value: () => ({ ...answer, replayed: false }),
        };
      },
    };
  }
}

const FORM = /^\s*application\/x-www-form-urlencoded\b/i;
const SENT_AS_FORM =
  "Content-Type must be text/csv or application/x-ndjson, not that of a form. With curl: -H 'Content-Type: text/csv' --data-binary @file.csv";
const NO_LINE_BREAKS = '. The body has no line breaks: curl -d removes them, so send a file by --data-binary';

const [LF, CR] = [10, 13];

/** The uploads in which a line break has arrived, by their fingerprints. */
const withLineBreaks = new WeakSet<Hash>();

/** What usually is the cause of a fault in a file without line breaks. */
function hintOf({ code }: AppError, { request, fingerprint, formats }: Upload): string {
  const isEmpty = request.headers['content-length'] === '0';
  const mayHaveNone =
    code !== 'INVALID_REQUEST' || isEmpty || formats.isCompressed || withLineBreaks.has(fingerprint);
  return mayHaveNone ? '' : NO_LINE_BREAKS;
}

/** The error of an upload, with a hint at its usual cause. */
function hinted(error: unknown, upload: Upload, details: Record<string, string> = {}): unknown {
  if (!(error instanceof AppError)) return refusalOf(error);
  const hint = hintOf(error, upload);
  return new AppError(
    error.code,
    error.message + hint,
    { ...error.details, ...details },
    error.problems.map(({ path, message }) => ({ path, message: message + hint })),
  );
}

/** If the client has left, the error is not logged as an error of this process. */
function refusalOf(error: unknown): unknown {
  return error instanceof UploadEndedError ? invalid(error.message) : error;
}

function answerOf({ staged: { id, warnings }, columns }: StoredUpload): StoredAnswer {
  const started: ImportStarted = {
    importId: id,
    columns: columnViewsOf(columns),
    ...(warnings.length > 0 && { warnings }),
  };
  return { status: 202, body: { ...started } };
}

function read(request: Request): Upload {
  const options = readImportOptions(request.query);
  if (FORM.test(request.headers['content-type'] ?? ''))
    throw new AppError('UNSUPPORTED_ENCODING', SENT_AS_FORM);
  const formats = readUploadFormats(request);
  // Beside the scope that the route declares.
  if (options.type !== 'contacts') requireScope(admittedKeyOf(request), toChange('suppressions'));
  const key = idempotencyKeyNameOf(request);
  if (!key.ok) throw invalid(...key.problems);
  const fingerprint = createHash('sha256').update(`POST\n/api/imports\n${textOfOptions(options, formats)}\n`);
  return { request, by: admittedKeyOf(request), options, formats, key: key.value, fingerprint };
}

/** @throws AppError `RATE_LIMITED`. */
function open(request: Request): void {
  openBodyStream(request, UPLOAD_MEMORY);
}

async function* hashed(pieces: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hash.update(piece);
    if (piece.includes(LF) || piece.includes(CR)) withLineBreaks.add(hash);
    yield piece;
  }
}
