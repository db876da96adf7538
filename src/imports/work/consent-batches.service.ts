import { Injectable } from '@nestjs/common';
import { ConsentRows, type NewConsent, type NumberedRow } from '../../consents/consent-rows.service.js';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { limitLockWaits, team } from '../../database/team-scope.js';
import { query, Transactions, type TransactionStep } from '../../database/transactions.js';
import { LOCK_NUMBERS } from '../../dialing/facts/locks.sql.js';
import { type ImportCounts, ImportMetrics } from '../../telemetry/import-metrics.js';
import {
  ADVANCE_IMPORT,
  CHUNK_OF_ROW,
  type ChunkRow,
  DELETE_CHUNK,
  LOCK_BATCH,
  STORE_RESULTS,
  type TakenConsents,
} from '../sql/work.sql.js';
import { type ConsentChunk, type ConsentRowOfFile, prepareConsents } from './consent-chunk.js';
import { failedRowOf } from './row-reader.js';

export type { ConsentChunk } from './consent-chunk.js';

/** A row of a batch as it is stored: the consent, or its error. */
type JudgedRow = Omit<ConsentRowOfFile, 'read'> & { consent: NewConsent | null; error: string | null };

/**
 * Records the consents of an import. A chunk is one transaction: the consents, the results, and the row at which the
 * next chunk begins.
 */
@Injectable()
export class ConsentBatches {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly metrics: ImportMetrics,
    private readonly consents: ConsentRows,
  ) {}

  /** The rows from `from` to the end of their chunk, read; null: the import has no such row. */
  async prepare(taken: TakenConsents, from: number): Promise<ConsentChunk | null> {
    const chunkOfRow = query(CHUNK_OF_ROW, taken.id, taken.team_id, from);
    const [chunk] = await this.transactions.within(team(taken.team_id)).read<ChunkRow>(chunkOfRow);
    if (chunk === undefined) return null;
    return prepareConsents(chunk, from, (fields) => this.consents.read(fields, taken.default_country));
  }

  /**
   * Records the consents of a chunk, under the locks of their numbers.
   *
   * @returns false if the chunk is stale, as that of an import of contacts.
   * @throws the database's error; what was stored by then stays.
   */
  async store(taken: TakenConsents, chunk: ConsentChunk): Promise<boolean> {
    const { id, team_id: teamId } = taken;
    const numbers = chunk.rows.flatMap(({ read }) => (read.ok ? [read.value.phoneNumber] : []));
    const opening = [
      limitLockWaits(),
      query(LOCK_NUMBERS, teamId, [...new Set(numbers)]),
      query(LOCK_BATCH, id, teamId, chunk.from, chunk.firstRow, chunk.revision),
      this.consents.clock,
    ];
    const stored = await this.semaphore.runWithLocks(teamId, () =>
      this.transactions
        .within(team(teamId))
        .run<ImportCounts | null>(opening, ([, , locked, clock]) =>
          locked?.rows.length === 1
            ? this.recording(taken, chunk, (clock?.rows[0] as { now: Date }).now)
            : { rollback: null },
        ),
    );
    if (stored !== null) this.metrics.rowsDone(stored);
    return stored !== null;
  }

  private recording(taken: TakenConsents, chunk: ConsentChunk, now: Date): TransactionStep<ImportCounts> {
    const rows = chunk.rows.map(({ row, ending, read }): JudgedRow => {
      const error = read.ok ? this.consents.futureFault(read.value, now) : read.message;
      return { row, ending, consent: read.ok && error === null ? read.value : null, error };
    });
    const consents = rows.flatMap(({ consent }) => consent ?? []);
    return {
      next: [this.consents.recording(taken.team_id, consents)],
      decide: ([recorded]) => finishing(taken, chunk, rows, (recorded?.rows as NumberedRow[]).length),
    };
  }
}

/** The last step of a chunk. @param created how many of its consents were not recorded before. */
function finishing(
  { id, team_id: teamId }: TakenConsents,
  chunk: ConsentChunk,
  rows: readonly JudgedRow[],
  created: number,
): TransactionStep<ImportCounts> {
  const failed = rows.filter(({ error }) => error !== null);
  const counts: ImportCounts = {
    created,
    updated: rows.length - failed.length - created,
    enrolled: 0,
    failed: failed.length,
  };
  const outcome = rows.map(({ error }) => (error === null ? {} : { error }));
  const ofContacts = { warned: 0, withoutTimezone: 0, countries: {} };
  return {
    commit: [
      query(
        STORE_RESULTS,
        id,
        teamId,
        chunk.from,
        counts.failed,
        JSON.stringify(outcome),
        failed.length === 0 ? null : JSON.stringify(failed.map(({ row }) => failedRowOf(row))),
        failed.length === 0 ? null : failed.map(({ ending }) => ending),
      ),
      query(
        ADVANCE_IMPORT,
        id,
        teamId,
        chunk.from + rows.length,
        JSON.stringify({ ...counts, ...ofContacts }),
        '[]',
        0,
      ),
      query(DELETE_CHUNK, id, teamId, chunk.firstRow),
    ],
    value: () => counts,
  };
}
