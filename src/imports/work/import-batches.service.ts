import { Injectable, Logger } from '@nestjs/common';
import { type BatchResult, ContactBatch } from '../../contacts/contact-batch.js';
import { afterConcurrent } from '../../contacts/concurrent-external-ids.js';
import { isLockTimeout, mayBeOfOneStatement } from '../../database/database-errors.js';
import { team } from '../../database/team-scope.js';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { query, Transactions, type TransactionStep } from '../../database/transactions.js';
import { describeError } from '../../telemetry/describe-error.js';
import { type ImportCounts, ImportMetrics } from '../../telemetry/import-metrics.js';
import { NO_COUNTRY, type RowResult } from '../row-result.js';
import {
  ADVANCE_IMPORT,
  type BatchContact,
  CHUNK_OF_ROW,
  type ChunkRow,
  DELETE_CHUNK,
  LOCK_BATCH,
  OPEN_BATCH,
  STORE_RESULTS,
  type TakenImport,
} from '../sql/work.sql.js';
import { prepareChunk, type PreparedChunk, type PreparedRow } from './prepared-chunk.js';
import { failedRowOf } from './row-reader.js';

/** Consecutive rows of a chunk that one transaction stores. */
interface Batch {
  chunk: PreparedChunk;
  from: number;
  rows: PreparedRow[];
}

/**
 * Stores batches of an import. A batch is one transaction: contacts, enrollments, results, and the row at
 * which the next batch begins. Therefore a crash neither repeats nor omits a row.
 */
@Injectable()
export class ImportBatches {
  private readonly logger = new Logger(ImportBatches.name);

  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly metrics: ImportMetrics,
  ) {}

  /** The rows from `from` to the end of their chunk, checked; null: the import has no such row. */
  async prepare(taken: TakenImport, from: number): Promise<PreparedChunk | null> {
    const chunkOfRow = query(CHUNK_OF_ROW, taken.id, taken.team_id, from);
    const [chunk] = await this.transactions.within(team(taken.team_id)).read<ChunkRow>(chunkOfRow);
    return chunk === undefined ? null : prepareChunk(taken, chunk, from);
  }

  /**
   * Stores the rows of a chunk. If a row makes a statement fail, smaller batches find the row, and it gets an
   * error.
   *
   * @returns true if this call stored a result for every row: contact, enrollment or error. False if the
   *   chunk is stale. A chunk is stale if the import has ended, another worker has stored the rows, or an
   *   erasure has changed the chunk.
   * @throws the database's error; what was stored by then stays.
   */
  store(taken: TakenImport, chunk: PreparedChunk): Promise<boolean> {
    return this.storeBatch(taken, { chunk, from: chunk.from, rows: chunk.rows });
  }

  private async storeBatch(taken: TakenImport, batch: Batch): Promise<boolean> {
    try {
      const stored = await afterConcurrent(() =>
        this.semaphore.runWithLocks(taken.team_id, () => this.run(taken, batch)),
      );
      if (stored.kind === 'stored') this.metrics.rowsDone(stored.counts);
      return stored.kind === 'stored';
    } catch (error) {
      if (!mayBeOfOneStatement(error)) throw error;
      const { chunk, from, rows } = batch;
      if (rows.length === 1) {
        if (isLockTimeout(error)) throw error;
        this.logger.error(`import ${taken.id}: row ${from} is not stored: ${describeError(error)}`);
        const refused = rows.map(({ row, ending }) => ({
          row,
          ending,
          ok: false as const,
          message: 'The row could not be stored',
        }));
        return this.storeBatch(taken, { ...batch, rows: refused });
      }
      const half = Math.ceil(rows.length / 2);
      const first = { chunk, from, rows: rows.slice(0, half) };
      if (!(await this.storeBatch(taken, first))) return false;
      return this.storeBatch(taken, { chunk, from: from + half, rows: rows.slice(half) });
    }
  }

  private run(taken: TakenImport, batch: Batch): Promise<Stored> {
    const { id, team_id: teamId } = taken;
    const { chunk, from, rows } = batch;
    const good = rows.flatMap((row) => (row.ok ? [row.contact] : []));
    const campaign = { campaignId: taken.campaign_id, versionId: taken.version_id };
    const contacts = new ContactBatch(taken.mode, teamId, good, campaign);
    const lock = query(LOCK_BATCH, id, teamId, from, chunk.firstRow, chunk.revision);
    // The lock and the contacts are sent together. If the batch is stale, which is rare, the rollback removes
    // the contacts that it has stored.
    const opening = [query(OPEN_BATCH), lock, ...contacts.statements];
    return this.transactions
      .within(team(teamId))
      .run<Stored>(opening, ([, locked, ...answers]) =>
        locked?.rows.length === 1
          ? contacts.stored(answers, (results) => finishing(taken, batch, results))
          : { rollback: { kind: 'stale' } },
      );
  }
}

/** The result of a batch. `stale`: {@link LOCK_BATCH} returned no row, and nothing is stored. */
type Stored = { kind: 'stored'; counts: ImportCounts } | { kind: 'stale' };

/** The last step of a batch. @param results of the well-formed rows, in the order of the rows. */
function finishing(
  { id, team_id: teamId }: TakenImport,
  { chunk, from, rows }: Batch,
  results: readonly BatchResult[],
): TransactionStep<Stored> {
  const counts: BatchCounts = {
    created: 0,
    updated: 0,
    enrolled: 0,
    failed: 0,
    warned: 0,
    withoutTimezone: 0,
    countries: {},
  };
  let at = 0;
  const outcome = rows.map((row): RowResult => {
    if (row.ok) return count(row, results[at++], counts);
    counts.failed += 1;
    return { error: row.message };
  });
  const failed = rows.filter((_, n) => outcome[n]?.error !== undefined);
  const rowsWithContact = outcome.filter(({ contactId }) => contactId !== undefined).length;
  const next = from + rows.length;
  const isDone = next === chunk.from + chunk.rows.length;
  return {
    commit: [
      query(
        STORE_RESULTS,
        id,
        teamId,
        from,
        counts.failed,
        JSON.stringify(outcome),
        failed.length === 0 ? null : JSON.stringify(failed.map(({ row }) => failedRowOf(row))),
        failed.length === 0 ? null : failed.map(({ ending }) => ending),
      ),
      query(
        ADVANCE_IMPORT,
        id,
        teamId,
        next,
        JSON.stringify(counts),
        JSON.stringify(contactsOf(results)),
        rowsWithContact,
      ),
      ...(isDone ? [query(DELETE_CHUNK, id, teamId, chunk.firstRow)] : []),
    ],
    value: () => ({ kind: 'stored', counts }),
  };
}

/** What the batch did to each of its contacts. Several rows can have the same one. */
function contactsOf(results: readonly BatchResult[]): BatchContact[] {
  const contacts = new Map<string, BatchContact>();
  for (const result of results) {
    if (result.contactId === null) continue;
    const { contactId: id } = result;
    const known = contacts.get(id) ?? { id, created: false, before: null, enrollments: null };
    contacts.set(id, 'error' in result ? known : withRow(known, result));
  }
  return [...contacts.values()];
}

function withRow(
  known: BatchContact,
  { created, changedBefore, enrollmentId }: Exclude<BatchResult, { error: string }>,
): BatchContact {
  return {
    id: known.id,
    created: known.created || created,
    // A later row of the batch has changed what an earlier one left.
    before: known.before ?? changedBefore,
    enrollments: enrollmentId === null ? known.enrollments : [...(known.enrollments ?? []), enrollmentId],
  };
}

/** What is counted of a batch. `countries`: rows by the country of their phone number. */
interface BatchCounts extends ImportCounts {
  warned: number;
  withoutTimezone: number;
  countries: Record<string, number>;
}

/** The result of a row, which is added to the counts. */
function count(
  { contact, country, warnings }: Extract<PreparedRow, { ok: true }>,
  result: BatchResult | undefined,
  counts: BatchCounts,
): RowResult {
  if (result === undefined) throw new Error('A row of the batch has no result');
  if ('error' in result) {
    counts.failed += 1;
    const { error, contactId } = result;
    return contactId === null ? { error } : { contactId, error };
  }
  const { contactId, enrollmentId, notEnrolled, created } = result;
  counts[created ? 'created' : 'updated'] += 1;
  if (contact.timezone === null) counts.withoutTimezone += 1;
  counts.countries[country ?? NO_COUNTRY] = (counts.countries[country ?? NO_COUNTRY] ?? 0) + 1;
  if (warnings.length > 0) counts.warned += 1;
  if (enrollmentId !== null) counts.enrolled += 1;
  return {
    contactId,
    ...(enrollmentId !== null && { enrollmentId }),
    ...(enrollmentId === null && notEnrolled !== null && { notEnrolled }),
    ...(warnings.length > 0 && { warnings }),
  };
}
