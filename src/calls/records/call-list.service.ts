import { Injectable } from '@nestjs/common';
import { areFew, positionOf } from '../../lists/newest-first.js';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { permitted } from '../../database/permitted.js';
import { team } from '../../database/team-scope.js';
import { query, type Statement, Transactions } from '../../database/transactions.js';
import { WalkedLists } from '../../lists/walked-lists.js';
import { type CallState, isPending, phaseOf } from '../../domain/call-states.js';
import { ErasedNumbers } from '../../erasure/erased-numbers.service.js';
import { FilterReader } from '../../http/filters.js';
import { type Page, type PageRequest } from '../../http/page.js';
import { OwnTeamService } from '../../teams/own-team.service.js';
import { OWN_CALL_FILTERS, type OwnCallFilter } from './call-filters.js';
import { type ListedCallView, listedViewOf } from './calls.service.js';
import {
  AGENT_OF_TEAM,
  CALL_FILTER_COLUMNS,
  type CallFilters,
  COUNT_PENDING_CALLS,
  LISTED_CALLS,
  listFor,
  NUMBER_OF_CONTACT,
  openListFor,
} from './list.sql.js';
import { type ListedCallRow } from './read.sql.js';

/** Lists the calls of a team, the newest first, for requests with the team's API key. */
@Injectable()
export class CallListService {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly lists: WalkedLists,
    private readonly ownTeam: OwnTeamService,
    private readonly erasedNumbers: ErasedNumbers,
  ) {}

  /** @throws AppError `INVALID_REQUEST` naming every malformed filter. */
  async list(teamId: string, request: PageRequest<OwnCallFilter>): Promise<Page<ListedCallView>> {
    const filters = await this.filtersOf(teamId, request);
    const start = positionOf(request);
    const { agentId, phoneNumber, acceptedFrom, acceptedTo } = filters;
    const isKnown = agentId === null || (await this.isAgent(teamId, agentId));
    if (!isKnown || phoneNumber?.length === 0) return { items: [], nextCursor: null };
    const statement = await this.statementFor(teamId, filters);
    const narrowed = CALL_FILTER_COLUMNS.values(filters);
    const range = [acceptedFrom ?? '-infinity', acceptedTo ?? 'infinity'];
    return this.lists.page<ListedCallRow, ListedCallView>(teamId, request, {
      start,
      windowOf: ({ at, key }, limit) => query(statement, teamId, at, key, ...range, limit, ...narrowed),
      rowsOf: (ids) => query(LISTED_CALLS, teamId, ids),
      itemOf: listedViewOf,
    });
  }

  private async filtersOf(teamId: string, request: PageRequest<OwnCallFilter>): Promise<CallFilters> {
    const read = new FilterReader(OWN_CALL_FILTERS, request);
    const { phoneNumber, contactId } = read.values;
    const numbers = phoneNumber === null ? null : await this.formsOf(teamId, phoneNumber, read);
    read.done();
    if (contactId === null || numbers !== null) return { ...read.values, phoneNumber: numbers };
    return { ...read.values, phoneNumber: await this.numbersOf(teamId, contactId) };
  }

  /** All forms under which the number may be stored. */
  private async formsOf(
    teamId: string,
    text: string,
    read: FilterReader<typeof OWN_CALL_FILTERS>,
  ): Promise<string[] | null> {
    const number = await this.ownTeam.storedNumber(teamId, text);
    if (number.ok)
      return number.erased ? [number.number] : this.erasedNumbers.formsOf(number.team, number.number);
    read.refuse(number.message);
    return null;
  }

  /** The statement that reads the fewest calls. */
  private async statementFor(teamId: string, filters: CallFilters): Promise<Statement> {
    const open = openListFor(filters);
    return open !== undefined && (await this.hasFew(teamId, filters.status)) ? open : listFor(filters);
  }

  /**
   * Whether few calls are in the phase of the status. Active calls are few, because concurrency bounds them.
   */
  private async hasFew(teamId: string, status: CallState | null): Promise<boolean> {
    if (status === null || !isPending(status)) return true;
    return areFew(async (limit) => {
      const count = query(COUNT_PENDING_CALLS, teamId, phaseOf(status), limit);
      const own = permitted(this.semaphore, teamId, this.transactions.within(team(teamId)));
      const [counted] = await own.read<{ calls: number }>(count);
      return counted?.calls;
    });
  }

  private async isAgent(teamId: string, agentId: string): Promise<boolean> {
    const agents = query(AGENT_OF_TEAM, teamId, agentId);
    return (await this.transactions.within(team(teamId)).read(agents)).length > 0;
  }

  /**
   * The number of a contact, to which all calls of the contact are made; null if the contact is erased. An
   * unknown contact has no numbers.
   */
  private async numbersOf(teamId: string, contactId: string): Promise<string[] | null> {
    const [row] = await this.transactions
      .within(team(teamId))
      .read<{ phone_number: string; erased: boolean }>(query(NUMBER_OF_CONTACT, teamId, contactId));
    if (row === undefined) return [];
    return row.erased ? null : [row.phone_number];
  }
}
