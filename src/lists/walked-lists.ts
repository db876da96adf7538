import { Injectable } from '@nestjs/common';
import { type Page } from '../http/page.js';
import { type FittingRow, pageOfFitting, type Position, walk, type WalkedRow } from './newest-first.js';
import { permitted } from '../database/permitted.js';
import { team } from '../database/team-scope.js';
import { KeyedSemaphore } from '../database/keyed-semaphore.js';
import { type Query, Transactions } from '../database/transactions.js';

/** A list of a team, the newest first, whose filters are applied while its rows are walked. */
export interface WalkedList<Row, Item> {
  /** The position after which the page begins. */
  start: Position;
  /** The statement of {@link walking} that reads a window of rows. */
  windowOf: (after: Position, limit: number) => Query;
  /** The statement of {@link fitting} that reads the rows of the page by their keys. */
  rowsOf: (keys: string[]) => Query;
  itemOf: (row: Row) => Item;
}

/**
 * Reads pages of walked lists. A walk may read many rows, so each of its statements needs a permit of the
 * team.
 */
@Injectable()
export class WalkedLists {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
  ) {}

  async page<Row extends object, Item>(
    teamId: string,
    request: { limit: number },
    { start, windowOf, rowsOf, itemOf }: WalkedList<Row, Item>,
  ): Promise<Page<Item>> {
    const own = permitted(this.semaphore, teamId, this.transactions.within(team(teamId)));
    const walked = await walk(request, start, (after, limit) =>
      own.read<WalkedRow & Record<string, unknown>>(windowOf(after, limit)),
    );
    const page = rowsOf(walked.positions.map(({ key }) => key));
    return pageOfFitting(walked, await own.read<Row & FittingRow & Record<string, unknown>>(page), itemOf);
  }
}
