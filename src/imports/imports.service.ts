import { Injectable } from '@nestjs/common';
import { pageOfPositioned, positionOf, type PositionedRow } from '../lists/newest-first.js';
import { KeyedSemaphore } from '../database/keyed-semaphore.js';
import { OneAtATime } from '../fairness/one-at-a-time.js';
import { permitted } from '../database/permitted.js';
import { team } from '../database/team-scope.js';
import { query, type TeamTransactions, Transactions } from '../database/transactions.js';
import { FAILED_ROW_COLUMNS, isOfFailedRows } from '../domain/contact-columns.js';
import { AppError, notFound } from '../http/app-error.js';
import { BYTE_ORDER_MARK, csvLine } from '../http/csv.js';
import { FilterReader } from '../http/filters.js';
import { type Page, type PageRequest } from '../http/page.js';
import { isUuid } from '../http/validators.js';
import { IMPORT_FILTERS, type ImportFilter } from './import-filters.js';
import { type ImportStatus } from './import.entity.js';
import {
  importViewOf,
  type ImportView,
  type ImportWithColumns,
  importWithColumnsOf,
  resultViewOf,
} from './import-view.js';
import {
  CANCEL_IMPORT,
  FAILED_ROWS_OF_IMPORT,
  type FailedRowsRow,
  FIND_IMPORT,
  type FoundImport,
  IMPORT_FILTER_COLUMNS,
  type ImportRow,
  LIST_IMPORTS,
  type ResultRow,
  RESULTS_OF_IMPORT,
  START_IMPORT,
} from './sql/read.sql.js';
import { BEGIN_UNDO } from './sql/undo.sql.js';

/** The column with the lines of an NDJSON file that failed. */
const LINE_COLUMN = 'line';

/** Why an import is not undone, by its status. */
const NOT_UNDONE: Partial<Record<ImportStatus, string>> = {
  staging: 'The import is being uploaded; cancel it first',
  held: 'The import is not started; cancel it instead',
  running: 'The import is running; cancel it first',
  undoing: 'The import is already being undone',
  undone: 'The import is already undone',
};
const UNTRACKED = 'The import was made by an earlier version, which did not note what an undo needs';

/** A piece takes tens of milliseconds of Postgres and of this process, which leave as much to other requests. */
const resultPieces = new OneAtATime();

/** Reads and cancels a team's imports. Imports of other teams are not found. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
  ) {}

  /** The newest first. @throws AppError `INVALID_REQUEST` naming what is malformed. */
  async list(teamId: string, request: PageRequest<ImportFilter>): Promise<Page<ImportView>> {
    const read = new FilterReader(IMPORT_FILTERS, request);
    read.done();
    const { at, key } = positionOf(request);
    const page = query(
      LIST_IMPORTS,
      teamId,
      at,
      key,
      request.limit + 1,
      ...IMPORT_FILTER_COLUMNS.values(read.values),
    );
    return pageOfPositioned(
      request,
      await this.own(teamId).read<ImportRow & PositionedRow>(page),
      importViewOf,
    );
  }

  /** @throws AppError `NOT_FOUND`. */
  async get(teamId: string, id: string): Promise<ImportWithColumns> {
    return importWithColumnsOf(await this.find(teamId, id));
  }

  private async find(teamId: string, id: string): Promise<FoundImport> {
    const [row] = isUuid(id) ? await this.own(teamId).read<FoundImport>(query(FIND_IMPORT, id, teamId)) : [];
    if (row === undefined) throw notFound('Import');
    return row;
  }

  /**
   * Ends an import. The contacts of its processed rows stay.
   * @throws AppError `NOT_FOUND`; `CONFLICT` for an import that has ended.
   */
  async cancel(teamId: string, id: string): Promise<ImportWithColumns> {
    const [row] = isUuid(id)
      ? await this.own(teamId).autocommit<FoundImport>(query(CANCEL_IMPORT, id, teamId))
      : [];
    if (row !== undefined) return importWithColumnsOf(row);
    const { status } = await this.get(teamId, id);
    throw new AppError('CONFLICT', `The import is ${status} and can no longer be canceled`);
  }

  /**
   * Lets the worker process an import that is held.
   * @throws AppError `NOT_FOUND`, also for an import that was held for too long; `CONFLICT` for one that is not held.
   */
  async start(teamId: string, id: string): Promise<ImportWithColumns> {
    const [row] = isUuid(id)
      ? await this.own(teamId).autocommit<FoundImport>(query(START_IMPORT, id, teamId))
      : [];
    if (row !== undefined) return importWithColumnsOf(row);
    const { status } = await this.get(teamId, id);
    throw new AppError('CONFLICT', `The import is ${status}, and only one that is held can be started`);
  }

  /**
   * Begins to undo an import that has ended. The worker undoes it.
   * @throws AppError `NOT_FOUND`; `CONFLICT` for an import that has not ended, or cannot be undone.
   */
  async undo(teamId: string, id: string): Promise<ImportWithColumns> {
    const [row] = isUuid(id)
      ? await this.own(teamId).autocommit<FoundImport>(query(BEGIN_UNDO, id, teamId))
      : [];
    if (row !== undefined) return importWithColumnsOf(row);
    const { status, type } = await this.get(teamId, id);
    const reason =
      type === 'contacts' ? (NOT_UNDONE[status] ?? UNTRACKED) : `An import of ${type} cannot be undone`;
    throw new AppError('CONFLICT', reason);
  }

  /**
   * The results of the rows that were processed so far, in their order, as lines of JSON. Only one batch of
   * results is in memory at a time.
   *
   * @throws AppError `NOT_FOUND` before the first piece.
   */
  async results(teamId: string, id: string, failedOnly: boolean): Promise<AsyncIterable<string>> {
    const { importId } = await this.get(teamId, id);
    return this.lines(this.own(teamId), importId, teamId, failedOnly);
  }

  /**
   * The rows that failed so far, as a CSV file that can be corrected and imported again: the number of the row,
   * its error, and its cells as they were in the file, or its line of NDJSON.
   *
   * @param bom whether the file begins with a byte order mark. @throws AppError `NOT_FOUND` before the first
   *   piece.
   */
  async failedRows(teamId: string, id: string, bom: boolean): Promise<AsyncIterable<string>> {
    const row = await this.find(teamId, id);
    return this.linesOfFailed(this.own(teamId), row, teamId, bom ? BYTE_ORDER_MARK : '');
  }

  private async *linesOfFailed(
    own: TeamTransactions,
    { id, mapping }: FoundImport,
    teamId: string,
    mark: string,
  ): AsyncGenerator<string> {
    const headers = mapping?.map(({ header }) => header) ?? [LINE_COLUMN];
    // If the file had the failed rows of another import, its first columns are replaced.
    const skipped = mapping !== null && isOfFailedRows(mapping) ? FAILED_ROW_COLUMNS.length : 0;
    yield mark + csvLine([...FAILED_ROW_COLUMNS, ...headers.slice(skipped)]);
    for (let after = 0; ;) {
      const [batch] = await own.read<FailedRowsRow>(query(FAILED_ROWS_OF_IMPORT, id, teamId, after));
      if (batch === undefined) return;
      const failed = batch.results.flatMap(({ error }, n) =>
        error === undefined ? [] : [{ row: batch.first_row + n, error }],
      );
      const lines = failed.map(({ row, error }, n) => {
        const given = batch.failed_rows[n] ?? [];
        const cells = Array.isArray(given) ? given.slice(skipped) : [given];
        return csvLine([row, error, ...cells, ...headers.slice(skipped + cells.length).map(() => null)]);
      });
      yield lines.join('');
      after = batch.first_row;
    }
  }

  private async *lines(
    own: TeamTransactions,
    id: string,
    teamId: string,
    failedOnly: boolean,
  ): AsyncGenerator<string> {
    for (let after = 0; ;) {
      const piece = await resultPieces.run(async () => {
        const rows = await own.read<ResultRow>(query(RESULTS_OF_IMPORT, id, teamId, after, failedOnly));
        const [first] = rows;
        if (first === undefined) return null;
        const shown = failedOnly ? rows.filter(({ error }) => error !== null) : rows;
        const text = shown.map((row) => `${JSON.stringify(resultViewOf(row))}\n`).join('');
        return { text, firstRow: first.first_row };
      });
      if (piece === null) return;
      yield piece.text;
      after = piece.firstRow;
    }
  }

  private own(teamId: string): TeamTransactions {
    return permitted(this.semaphore, teamId, this.transactions.within(team(teamId)));
  }
}
