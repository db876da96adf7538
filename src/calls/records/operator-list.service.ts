import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  areFew,
  FROM_START,
  type Position,
  positionOf,
  walk,
  WALK_WINDOW,
  type WalkedRow,
} from '../../lists/newest-first.js';
import { isFinal, isPending } from '../../domain/call-states.js';
import { encodeCursor, type Page, type PageRequest } from '../../http/page.js';
import { isUuid } from '../../http/validators.js';
import { type OperatorCallFilters, orderOf, sourceOf } from './operator-filters.js';
import {
  listStatement,
  openCountStatement,
  OPERATOR_CALLS,
  type OperatorCallRow,
} from './operator-list.sql.js';

// The filters and rows of the list, for the code that reads the list.
export { CALL_FILTERS, NO_REASON } from './call-filters.js';
export { NO_FILTERS, type OperatorCallFilters } from './operator-filters.js';
export { type OperatorCallRow } from './operator-list.sql.js';

/**
 * About how many calls of all teams the first statement of a walk examines. Each further statement examines
 * more.
 */
const FIRST_CHUNK = 2_000;
const GROWTH = 4;

const FROM_EARLIEST: Position = { at: '-infinity', key: '00000000-0000-0000-0000-000000000000' };

/**
 * Calls of one team or of all teams, by the filters of operators. Each page reads a bounded number of calls.
 */
@Injectable()
export class OperatorCallList {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * A page of calls, with the names of their teams, contacts, agents and campaigns. A page may have fewer
   * items than `limit`, or none, although it has a `nextCursor`.
   *
   * @throws AppError `INVALID_REQUEST` for the cursor of another list.
   */
  async list(filters: OperatorCallFilters, request: ListPage): Promise<Page<OperatorCallRow>> {
    const { positions, next } = await this.positions(filters, request);
    const ids = positions.map(({ key }) => key);
    const items = await this.dataSource.query<OperatorCallRow[]>(OPERATOR_CALLS, [ids]);
    return { items, nextCursor: next === null ? null : encodeCursor([next.at, next.key]) };
  }

  /**
   * The positions of a page's calls. The key of a position is a call's id. @throws AppError as {@link list}.
   */
  async positions(
    filters: OperatorCallFilters,
    request: ListPage,
  ): Promise<{ positions: Position[]; next: Position | null }> {
    const earliest = orderOf(filters).direction === 'ASC';
    const start = positionOf(request, isUuid, earliest ? FROM_EARLIEST : FROM_START);
    const source = sourceOf(filters, await this.hasFew(filters));
    let chunk = FIRST_CHUNK;
    return walk(request, start, (after, limit) => {
      const { text, values } = listStatement(source, filters, { after, limit, chunk });
      chunk = Math.min(chunk * GROWTH, WALK_WINDOW);
      return this.dataSource.query<WalkedRow[]>(text, values);
    });
  }

  /**
   * Whether the calls in the phase of an open status are so few that they are sorted. Active calls are
   * bounded by concurrency.
   */
  private async hasFew(filters: OperatorCallFilters): Promise<boolean> {
    const { status, due, ended, phoneNumber } = filters;
    if (status === null || isFinal(status) || due !== null || ended !== null || phoneNumber !== null)
      return false;
    if (!isPending(status)) return true;
    return areFew(async (limit) => {
      const { text, values } = openCountStatement(filters, limit);
      const [counted] = await this.dataSource.query<{ calls: number }[]>(text, values);
      return counted?.calls;
    });
  }
}

type ListPage = Pick<PageRequest, 'limit' | 'after'>;
