import { Injectable } from '@nestjs/common';
import { type AuditedChange, auditing } from '../audit/audited-change.js';
import { areFew, positionOf } from '../lists/newest-first.js';
import { permitted } from '../database/permitted.js';
import { limitLockWaits, team } from '../database/team-scope.js';
import { KeyedSemaphore } from '../database/keyed-semaphore.js';
import { DatabaseBusyError } from '../database/database-errors.js';
import { query, type Query, type Statement, Transactions } from '../database/transactions.js';
import { CONTACT_FIELDS, contactFieldRow, EXTERNAL_ID, fieldsOfRow } from '../domain/contact-fields.js';
import { isSent } from '../domain/known-fields.js';
import { readRequiredNumber } from '../domain/phone-number.js';
import { trimmed } from '../domain/trimmed.js';
import { WalkedLists } from '../lists/walked-lists.js';
import { AppError, invalid, notFound } from '../http/app-error.js';
import { FilterReader, type FilterValues } from '../http/filters.js';
import { type Page, type PageRequest } from '../http/page.js';
import { isUuid } from '../http/validators.js';
import { OwnTeamService } from '../teams/own-team.service.js';
import { afterConcurrent, isTaken } from './concurrent-external-ids.js';
import { CONTACT_FILTERS, type ContactFilter } from './contact-filters.js';
import { type ContactChange, readContactChange } from './contact-change.js';
import { ContactsService, type ContactView, contactViewOf, tooLarge } from './contacts.service.js';
import { conflict, conflictOf, readExternalId } from './external-id.js';
import { CHANGE_CONTACT } from './sql/change.sql.js';
import {
  CONTACT_FILTER_COLUMNS,
  COUNT_CHANGED_CONTACTS,
  LIST_CHANGED_CONTACTS,
  LIST_CONTACT_OF_EXTERNAL_ID,
  LIST_CONTACT_OF_NUMBER,
  LIST_CONTACTS,
  LIST_CONTACTS_OF_EMAIL,
  LISTED_CONTACTS,
} from './sql/list.sql.js';
import { type ContactRow } from './sql/read.sql.js';
import { CREATE_CONTACT, type ImportedContactRow } from './sql/store.sql.js';

/** A contact that a request has created or changed. */
export interface StoredContact {
  created: boolean;
  contact: ContactView;
}

/** How often a contact is looked up that concurrent requests store. */
const ATTEMPTS = 3;

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
    const { phoneNumber } = read.values;
    const number = phoneNumber === null ? null : await this.ownTeam.storedNumber(teamId, phoneNumber);
    if (number?.ok === false) read.refuse(number.message);
    read.done();
    const start = positionOf(request);
    const narrowed = [...CONTACT_FILTER_COLUMNS.values(read.values), ...(number?.ok ? [number.number] : [])];
    const statement = number?.ok ? LIST_CONTACT_OF_NUMBER : await this.listFor(teamId, read.values);
    return this.lists.page<ContactRow, ContactView>(teamId, request, {
      start,
      windowOf: ({ at, key }, limit) => query(statement, teamId, at, key, limit, ...narrowed),
      rowsOf: (ids) => query(LISTED_CONTACTS, teamId, ids),
      itemOf: contactViewOf,
    });
  }

  /** The statement that reads the fewest contacts. */
  private async listFor(
    teamId: string,
    { externalId, email, updatedSince: since }: FilterValues<typeof CONTACT_FILTERS>,
  ): Promise<Statement> {
    if (externalId !== null) return LIST_CONTACT_OF_EXTERNAL_ID;
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
   * Creates a contact on a page, with the body of {@link update} and a `phoneNumber`. The audit log has it.
   *
   * @returns the id of the contact.
   * @throws AppError `INVALID_REQUEST` naming every bad field, or for properties that are too large. A number that the
   *   team has already is `INVALID_REQUEST`, and an external id that another contact has is `CONFLICT`; the details
   *   have the id of the contact.
   */
  async create(teamId: string, { phoneNumber: sent, ...body }: Record<string, unknown>): Promise<string> {
    const number = await this.readNumber(teamId, sent);
    const change = readContactChange(teamId, body, number);
    if (!number.ok) throw new Error('The faults were not refused');
    const phoneNumber = number.e164;
    const fields = ['phoneNumber', ...changedFields(change)];
    const contactId = await afterConcurrent(() =>
      this.insert(teamId, phoneNumber, change, (id) => auditedContact(teamId, 'created', id, fields)),
    );
    if (contactId !== null) return contactId;
    const externalId = change.columns[EXTERNAL_ID.column] ?? null;
    const holders = await this.contacts.holdersOf(teamId, { phoneNumber, externalId });
    if (holders.of_number !== null)
      throw new AppError('INVALID_REQUEST', 'phoneNumber belongs to another contact already', {
        contactId: holders.of_number,
      });
    const found = conflictOf(holders);
    throw found === null ? tooLarge() : conflict(found);
  }

  /**
   * Changes the fields and properties that were sent.
   *
   * @param by a person on a page, whose change the audit log has, or a key.
   * @throws AppError `INVALID_REQUEST` naming every bad field, or for properties that would be too large;
   *   `FORBIDDEN` for another team's `teamId`; `NOT_FOUND`, also for another team's contact; `CONFLICT` for an
   *   external id that another contact has.
   */
  async update(
    teamId: string,
    contactId: string,
    body: Record<string, unknown>,
    by: 'key' | 'person' = 'key',
  ): Promise<ContactView> {
    const change = readContactChange(teamId, body);
    if (!isUuid(contactId)) throw notFound('Contact');
    const audited =
      by === 'person' ? auditedContact(teamId, 'changed', contactId, changedFields(change)) : null;
    const changed = await this.change(teamId, contactId, change, null, audited);
    if (changed !== null) return changed;
    await this.contacts.get(teamId, contactId);
    throw tooLarge();
  }

  /**
   * Changes the contact with an external id. If there is none and `phoneNumber` was sent, the contact with the
   * number gets the external id, or a contact is created.
   *
   * @param text the external id, as the path has it.
   * @throws AppError as {@link update}; `NOT_FOUND` if there is no such contact and no number was sent; `CONFLICT`
   *   for a number and an external id that are of different contacts.
   */
  async updateByExternalId(
    teamId: string,
    text: string,
    { phoneNumber: sent, ...body }: Record<string, unknown>,
  ): Promise<StoredContact> {
    const id = readExternalId(text);
    const number = isSent(sent) ? await this.readNumber(teamId, sent) : null;
    const change = readContactChange(teamId, body, id, ...(number === null ? [] : [number]));
    if (!id.ok || number?.ok === false) throw new Error('The faults were not refused');
    const { [EXTERNAL_ID.column]: ofBody = id.value } = change.columns;
    if (ofBody !== id.value)
      throw invalid(`${EXTERNAL_ID.name} must be that of the path, or must not be sent`);
    const phoneNumber = number?.e164 ?? null;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const stored = await afterConcurrent(() => this.storeById(teamId, id.value, phoneNumber, change));
      if (stored !== null) return stored;
    }
    throw new DatabaseBusyError('Concurrent requests store the contact');
  }

  /** @returns null: a concurrent request has stored a contact with the number or the id. */
  private async storeById(
    teamId: string,
    externalId: string,
    phoneNumber: string | null,
    change: ContactChange,
  ): Promise<StoredContact | null> {
    const holders = await this.contacts.holdersOf(teamId, { phoneNumber, externalId });
    const found = phoneNumber === null ? null : conflictOf(holders);
    if (found !== null) throw conflict(found);
    const contactId = holders.of_external_id ?? holders.of_number;
    const columns = { ...change.columns, [EXTERNAL_ID.column]: externalId };
    if (contactId !== null) {
      const isNew = holders.of_external_id === null;
      const contact = await this.change(
        teamId,
        contactId,
        isNew ? { ...change, columns } : change,
        externalId,
      );
      if (contact !== null) return { created: false, contact };
      const now = await this.contacts.holdersOf(teamId, { phoneNumber, externalId });
      if ((now.of_external_id ?? now.of_number) === contactId && !now.other_id) throw tooLarge();
      return null;
    }
    if (phoneNumber === null) throw notFound('Contact');
    const created = await this.insert(teamId, phoneNumber, { ...change, columns });
    if (created !== null) return { created: true, contact: await this.contacts.get(teamId, created) };
    const now = await this.contacts.holdersOf(teamId, { phoneNumber, externalId });
    if (now.of_external_id === null && now.of_number === null) throw tooLarge();
    return null;
  }

  /**
   * @param audited what the audit log has of the contact with an id.
   * @returns the id of the contact; null: nothing was stored, as of `CREATE_CONTACT`.
   */
  private async insert(
    teamId: string,
    phoneNumber: string,
    { columns, set }: ContactChange,
    audited?: (contactId: string) => AuditedChange,
  ): Promise<string | null> {
    const contact = {
      phone_number: phoneNumber,
      ...contactFieldRow(fieldsOfRow(columns)),
      custom_properties: set,
      campaign_id: null,
    };
    const create = query(CREATE_CONTACT.imported.contactOnly, JSON.stringify([contact]), teamId);
    const idOf = (row: ImportedContactRow | undefined) => row?.contact_id ?? null;
    const auditedOf = (row: ImportedContactRow | undefined) => {
      const id = idOf(row);
      return id === null || audited === undefined ? null : audited(id);
    };
    const [row] = await this.write(teamId, create, audited && auditedOf);
    return idOf(row);
  }

  /**
   * @param only the only external id that the contact may have; null: any.
   * @returns null: there is no such contact, it has another external id, or its properties would be too large.
   * @throws AppError `CONFLICT` for an external id that another contact has.
   */
  private async change(
    teamId: string,
    contactId: string,
    { columns, removed, set }: ContactChange,
    only: string | null,
    audited: AuditedChange | null = null,
  ): Promise<ContactView | null> {
    if (Object.keys(columns).length + removed.length + Object.keys(set).length === 0)
      return this.contacts.get(teamId, contactId);
    const change = query(CHANGE_CONTACT, teamId, contactId, columns, removed, JSON.stringify(set), only);
    try {
      const auditedOf = (row: ContactRow | undefined) => (row === undefined ? null : audited);
      const [row] = await this.write<ContactRow>(teamId, change, audited === null ? undefined : auditedOf);
      return row === undefined ? null : contactViewOf(row);
    } catch (error) {
      // With `only`, the caller looks up the contact of the external id and tries again.
      if (!isTaken(error) || only !== null) throw error;
      throw await this.taken(teamId, contactId, columns[EXTERNAL_ID.column] ?? null);
    }
  }

  private async taken(teamId: string, contactId: string, externalId: string | null): Promise<AppError> {
    const { of_external_id: ofId } = await this.contacts.holdersOf(teamId, { phoneNumber: null, externalId });
    const found = conflictOf({ of_number: contactId, other_id: false, of_external_id: ofId });
    return conflict(found ?? { message: `${EXTERNAL_ID.name} belongs to another contact`, contactId });
  }

  /**
   * @param auditedOf what the audit log has of the first row, in the same transaction, or null. A write without it takes
   *   one round trip.
   */
  private async write<Row>(
    teamId: string,
    statement: Query,
    auditedOf?: (row: Row | undefined) => AuditedChange | null,
  ): Promise<Row[]> {
    const own = this.transactions.within(team(teamId));
    const queries = [limitLockWaits(), statement];
    return this.semaphore.runWithLocks(teamId, async () => {
      if (auditedOf === undefined) return rowsOf<Row>(await own.inOneRoundTrip(queries));
      return own.run(queries, (results) => {
        const rows = rowsOf<Row>(results);
        const audited = auditedOf(rows[0]);
        return { commit: audited === null ? [] : [auditing(audited)], value: () => rows };
      });
    });
  }

  private async readNumber(teamId: string, sent: unknown) {
    const { defaultCountry, acceptUnknownRanges } = await this.ownTeam.find(teamId);
    const value = typeof sent === 'string' ? trimmed(sent) : sent;
    return readRequiredNumber(value, defaultCountry, acceptUnknownRanges);
  }
}

function rowsOf<Row>(results: readonly { rows: unknown[] }[]): Row[] {
  return (results.at(-1)?.rows ?? []) as Row[];
}

/** The names of what a change concerns. A property's name can tell of a person as its value does. */
function changedFields({ columns, removed, set }: ContactChange): string[] {
  const fields = CONTACT_FIELDS.filter(({ column }) => Object.hasOwn(columns, column)).map(
    ({ name }) => name,
  );
  return removed.length + Object.keys(set).length === 0 ? fields : [...fields, 'customProperties'];
}

/** The values are personal, so the log has the names of the fields alone. */
function auditedContact(
  teamId: string,
  what: 'created' | 'changed',
  contactId: string,
  fields: readonly string[],
): AuditedChange {
  return {
    teamId,
    action: `contact.${what}`,
    target: { type: 'contact', id: contactId },
    after: Object.fromEntries(fields.map((name) => [name, 'withheld'])),
  };
}
