import { Injectable } from '@nestjs/common';
import { areFew, positionOf } from '../lists/newest-first.js';
import { permitted } from '../database/permitted.js';
import { limitLockWaits, team } from '../database/team-scope.js';
import { KeyedSemaphore } from '../database/keyed-semaphore.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { WalkedLists } from '../lists/walked-lists.js';
import { notFound } from '../http/app-error.js';
import { FilterReader } from '../http/filters.js';
import { type Page, type PageRequest } from '../http/page.js';
import { isUuid } from '../http/validators.js';
import { OwnTeamService } from '../teams/own-team.service.js';
import { CONTACT_FILTERS, type ContactFilter } from './contact-filters.js';
import { readContactChange } from './contact-change.js';
import { ContactsService, type ContactView, contactViewOf, tooLarge } from './contacts.service.js';
import { CHANGE_CONTACT } from './sql/change.sql.js';
import {
  CONTACT_FILTER_COLUMNS,
  COUNT_CHANGED_CONTACTS,
  LIST_CHANGED_CONTACTS,
  LIST_CONTACT_OF_NUMBER,
  LIST_CONTACTS,
  LIST_CONTACTS_OF_EMAIL,
  LISTED_CONTACTS,
} from './sql/list.sql.js';
import { type ContactRow } from './sql/read.sql.js';

/** Lists the contacts of a team and changes them, for requests with the team's API key. */
@Injectable()
export class TeamContactsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly lists: WalkedLists,
    private readonly ownTeam: OwnTeamService,
    private readonly contacts: ContactsService,
  ) {}

  /** @throws AppError `INVALID_REQUEST` naming every malformed filter. */
  async list(teamId: string, request: PageRequest<ContactFilter>): Promise<Page<ContactView>> {
    const read = new FilterReader(CONTACT_FILTERS, request);
    const { phoneNumber, email, updatedSince: since } = read.values;
    const number = phoneNumber === null ? null : await this.ownTeam.storedNumber(teamId, phoneNumber);
    if (number?.ok === false) read.refuse(number.message);
    read.done();
    const start = positionOf(request);
    const narrowed = [...CONTACT_FILTER_COLUMNS.values(read.values), ...(number?.ok ? [number.number] : [])];
    const statement = number?.ok ? LIST_CONTACT_OF_NUMBER : await this.listFor(teamId, email, since);
    return this.lists.page<ContactRow, ContactView>(teamId, request, {
      start,
      windowOf: ({ at, key }, limit) => query(statement, teamId, at, key, limit, ...narrowed),
      rowsOf: (ids) => query(LISTED_CONTACTS, teamId, ids),
      itemOf: contactViewOf,
    });
  }

  /** The statement that reads the fewest contacts. */
  private async listFor(teamId: string, email: string | null, since: string | null): Promise<Statement> {
    if (email !== null) return LIST_CONTACTS_OF_EMAIL;
    if (since === null) return LIST_CONTACTS;
    const few = await areFew(async (limit) => {
      const count = query(COUNT_CHANGED_CONTACTS, teamId, since, limit);
      const [changed] = await permitted(this.semaphore, teamId, this.transactions.within(team(teamId))).read<{
        contacts: number;
      }>(count);
      return changed?.contacts;
    });
    return few ? LIST_CHANGED_CONTACTS : LIST_CONTACTS;
  }

  /**
   * Changes the fields and properties that were sent.
   *
   * @throws AppError `INVALID_REQUEST` naming every bad field, or for properties that would be too large;
   *   `FORBIDDEN` for another team's `teamId`; `NOT_FOUND`, also for another team's contact.
   */
  async update(teamId: string, contactId: string, body: Record<string, unknown>): Promise<ContactView> {
    const { columns, removed, set } = readContactChange(teamId, body);
    if (!isUuid(contactId)) throw notFound('Contact');
    if (Object.keys(columns).length + removed.length + Object.keys(set).length === 0)
      return this.contacts.get(teamId, contactId);
    const change = query(CHANGE_CONTACT, teamId, contactId, columns, removed, JSON.stringify(set));
    const [, changed] = await this.semaphore.runWithLocks(teamId, () =>
      this.transactions.within(team(teamId)).inOneRoundTrip([limitLockWaits(), change]),
    );
    const row = changed?.rows[0] as ContactRow | undefined;
    if (row !== undefined) return contactViewOf(row);
    await this.contacts.get(teamId, contactId);
    throw tooLarge();
  }
}
