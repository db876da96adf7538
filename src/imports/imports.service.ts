import { Injectable } from '@nestjs/common';
import { pageOfPositioned, positionOf, type PositionedRow } from '../lists/newest-first.js';
import { KeyedSemaphore } from '../database/keyed-semaphore.js';
import { permitted } from '../database/permitted.js';
import { team } from '../database/team-scope.js';
import { query, type TeamTransactions, Transactions } from '../database/transactions.js';
import { AppError, notFound } from '../http/app-error.js';
import { FilterReader } from '../http/filters.js';
import { type Page, type PageRequest } from '../http/page.js';
import { isUuid } from '../http/validators.js';
import { IMPORT_STATES } from './import.entity.js';
import { importViewOf, type ImportView, resultViewOf } from './import-view.js';
import {
  CANCEL_IMPORT,
  FIND_IMPORT,
  type ImportRow,
  LIST_IMPORTS,
  type ResultRow,
  RESULTS_OF_IMPORT,
} from './sql/read.sql.js';

/** What a team's list of imports can be narrowed to. */
export const IMPORT_FILTERS = ['status'] as const;
export type ImportFilter = (typeof IMPORT_FILTERS)[number];

/** Reads and cancels a team's imports. Imports of other teams are not found. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
  ) {}

  /** The newest first. @throws AppError `INVALID_REQUEST` naming what is malformed. */
  async list(teamId: string, request: PageRequest<ImportFilter>): Promise<Page<ImportView>> {
    const read = new FilterReader(request.filters, request.problems);
    const status = read.oneOf('status', IMPORT_STATES);
    read.done();
    const { at, key } = positionOf(request);
    const page = query(LIST_IMPORTS, teamId, at, key, request.limit + 1, status);
    return pageOfPositioned(
      request,
      await this.own(teamId).read<ImportRow & PositionedRow>(page),
      importViewOf,
    );
  }

  /** @throws AppError `NOT_FOUND`. */
  async get(teamId: string, id: string): Promise<ImportView> {
    const [row] = isUuid(id) ? await this.own(teamId).read<ImportRow>(query(FIND_IMPORT, id, teamId)) : [];
    if (row === undefined) throw notFound('Import');
    return importViewOf(row);
  }

  /**
   * Ends an import. The contacts of its processed rows stay.
   * @throws AppError `NOT_FOUND`; `CONFLICT` for an import that has ended.
   */
  async cancel(teamId: string, id: string): Promise<ImportView> {
    const [row] = isUuid(id)
      ? await this.own(teamId).autocommit<ImportRow>(query(CANCEL_IMPORT, id, teamId))
      : [];
    if (row !== undefined) return importViewOf(row);
    const { status } = await this.get(teamId, id);
    throw new AppError('CONFLICT', `The import is ${status} and can no longer be canceled`);
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

  private async *lines(
    own: TeamTransactions,
    id: string,
    teamId: string,
    failedOnly: boolean,
  ): AsyncGenerator<string> {
    for (let after = 0; ;) {
      const rows = await own.read<ResultRow>(query(RESULTS_OF_IMPORT, id, teamId, after, failedOnly));
      const [first] = rows;
      if (first === undefined) return;
      const shown = failedOnly ? rows.filter(({ error }) => error !== null) : rows;
      yield shown.map((row) => `${JSON.stringify(resultViewOf(row))}\n`).join('');
      after = first.first_row;
    }
  }

  private own(teamId: string): TeamTransactions {
    return permitted(this.semaphore, teamId, this.transactions.within(team(teamId)));
  }
}
