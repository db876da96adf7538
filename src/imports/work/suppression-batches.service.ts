import { Injectable } from '@nestjs/common';
import { Settlement } from '../../campaigns/engine/settlement.service.js';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { limitLockWaits, LOCK_TEAM_SHARED, team } from '../../database/team-scope.js';
import { query, Transactions, type TransactionStep } from '../../database/transactions.js';
import { LOCK_NUMBERS } from '../../dialing/facts/locks.sql.js';
import { isErasedNumber } from '../../domain/erased-number.js';
import { ErasedNumbers } from '../../erasure/erased-numbers.service.js';
import { NUMBERS_A_TRANSACTION } from '../../suppression/add-batch.js';
import { DoNotCallJournal } from '../../suppression/do-not-call-journal.service.js';
import { suppressing } from '../../suppression/suppressing.js';
import { ImportMetrics } from '../../telemetry/import-metrics.js';
import {
  ADVANCE_IMPORT,
  CHUNK_OF_ROW,
  type ChunkRow,
  DELETE_CHUNK,
  LOCK_BATCH,
  STORE_RESULTS,
  type TakenSuppressions,
} from '../sql/work.sql.js';
import { failedRowOf } from './row-reader.js';
import { prepareSuppressions, type SuppressionChunk, type SuppressionRow } from './suppression-rows.js';

/** Consecutive rows of a chunk that one transaction lists. */
interface Batch {
  chunk: SuppressionChunk;
  from: number;
  rows: SuppressionRow[];
}

/**
 * Puts the numbers of an import on the Do Not Call list, as a single entry does. A batch is one transaction: the
 * entries, the ends of calls and enrollments, the results, and the row at which the next batch begins.
 */
@Injectable()
export class SuppressionBatches {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly metrics: ImportMetrics,
    private readonly settlement: Settlement,
    private readonly erasedNumbers: ErasedNumbers,
    private readonly journal: DoNotCallJournal,
  ) {}

  /** The rows from `from` to the end of their chunk, read; null: the import has no such row. */
  async prepare(taken: TakenSuppressions, from: number): Promise<SuppressionChunk | null> {
    const chunkOfRow = query(CHUNK_OF_ROW, taken.id, taken.team_id, from);
    const [chunk] = await this.transactions.within(team(taken.team_id)).read<ChunkRow>(chunkOfRow);
    return chunk === undefined ? null : prepareSuppressions(chunk, taken.default_country, from);
  }

  /**
   * Lists the numbers of a chunk.
   *
   * @returns false if the chunk is stale, as that of an import of contacts.
   * @throws the database's error, or AppError `CONFLICT` or `SERVICE_UNAVAILABLE` as a single entry; what was
   *   stored by then stays.
   */
  async store(taken: TakenSuppressions, chunk: SuppressionChunk): Promise<boolean> {
    let { from } = chunk;
    for (const rows of inBatches(chunk.rows)) {
      if (!(await this.storeBatch(taken, { chunk, from, rows }))) return false;
      from += rows.length;
    }
    return true;
  }

  private async storeBatch(taken: TakenSuppressions, batch: Batch): Promise<boolean> {
    const { id, team_id: teamId, has_erased_numbers: hasErasedNumbers } = taken;
    const { chunk, from, rows } = batch;
    const numbers = [...new Set(rows.flatMap((row) => (row.ok ? row.phoneNumbers : [])))].sort();
    const formsOf = (number: string) => this.erasedNumbers.formsOf({ id: teamId, hasErasedNumbers }, number);
    const erased = numbers.map((number) => formsOf(number).find(isErasedNumber) ?? null);
    await this.settlement.settleFirst(teamId, 'numbers', numbers);
    // No client repeats a request after a crash. Therefore the record is written before the commit: if the
    // commit fails, the worker processes the batch again.
    if (numbers.length > 0) await this.journal.added(teamId, numbers, { source: 'import' });
    const opening = [
      limitLockWaits(),
      query(LOCK_NUMBERS, teamId, numbers),
      query(LOCK_TEAM_SHARED, teamId),
      query(LOCK_BATCH, id, teamId, from, chunk.firstRow, chunk.revision),
    ];
    const listing = suppressing({ teamId, numbers, erased, reason: null, source: 'import' });
    const stored = await this.semaphore.runWithLocks(teamId, () =>
      this.transactions.within(team(teamId)).run<ListedCounts | null>(opening, ([, , , locked]) =>
        locked?.rows.length === 1
          ? {
              next: listing,
              decide: ([added]) => {
                const rowsAdded = (added?.rows ?? []) as { phone_number: string }[];
                return finishing(taken, batch, new Set(rowsAdded.map((row) => row.phone_number)));
              },
            }
          : { rollback: null },
      ),
    );
    if (stored !== null) this.metrics.rowsDone(stored);
    return stored !== null;
  }
}

/** How many rows have listed a number that was not on the list, have not, or hold no number. */
interface ListedCounts {
  created: number;
  updated: number;
  enrolled: number;
  failed: number;
}

/** The last step of a batch. @param added the numbers that were not on the list. */
function finishing(
  { id, team_id: teamId }: TakenSuppressions,
  { chunk, from, rows }: Batch,
  added: Set<string>,
): TransactionStep<ListedCounts> {
  const counts: ListedCounts = { created: 0, updated: 0, enrolled: 0, failed: 0 };
  for (const row of rows) {
    if (!row.ok) counts.failed += 1;
    // Of rows with the same number, the first one has listed it.
    else if (row.phoneNumbers.filter((number) => added.delete(number)).length > 0) counts.created += 1;
    else counts.updated += 1;
  }
  const failed = rows.filter(({ ok }) => !ok);
  const outcome = rows.map((row) => (row.ok ? {} : { error: row.message }));
  const next = from + rows.length;
  const isDone = next === chunk.from + chunk.rows.length;
  const ofContacts = { warned: 0, withoutTimezone: 0, countries: {} };
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
      query(ADVANCE_IMPORT, id, teamId, next, JSON.stringify({ ...counts, ...ofContacts }), '[]', 0),
      ...(isDone ? [query(DELETE_CHUNK, id, teamId, chunk.firstRow)] : []),
    ],
    value: () => counts,
  };
}

/** Consecutive rows with at most {@link NUMBERS_A_TRANSACTION} numbers. A row has far fewer. */
function inBatches(rows: readonly SuppressionRow[]): SuppressionRow[][] {
  const batches: SuppressionRow[][] = [];
  let count = Infinity;
  for (const row of rows) {
    const numbers = row.ok ? row.phoneNumbers.length : 0;
    if (count + numbers > NUMBERS_A_TRANSACTION) {
      batches.push([]);
      count = 0;
    }
    batches.at(-1)?.push(row);
    count += numbers;
  }
  return batches;
}
