import { cursorList, type List } from '../core/list.js';
import { type Body, type Query } from '../core/operations.js';
import { type ContactOptions, type RequestOptions } from '../core/options.js';
import { valuesOf } from '../core/streams.js';
import { type Transport } from '../core/transport.js';
import {
  type Contact,
  type ContactCreated,
  type ContactExport,
  type ContactPage,
  type ContactStored,
} from '../types.js';

type ExportFilters = Omit<Query<'exportContacts'>, 'format' | 'bom'>;
type CsvFilters = Omit<Query<'exportContacts'>, 'format'>;

function headersOf({ externalId }: ContactOptions = {}): Record<string, string> {
  return externalId === undefined ? {} : { 'external-id': externalId };
}

export class Contacts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates a contact. With a `campaignId` it is also enrolled, best effort. The external id is an option, because
   * the API takes it in a header.
   */
  create(body: Body<'createContact'>, options?: ContactOptions): Promise<ContactCreated> {
    return this.#transport.json('createContact', { body, headers: headersOf(options) }, options);
  }

  /**
   * Creates a contact, or updates what is sent of it. With a `campaignId` it is also enrolled, best effort.
   */
  upsert(body: Body<'createContactAndEnroll'>, options?: ContactOptions): Promise<ContactStored> {
    return this.#transport.json('createContactAndEnroll', { body, headers: headersOf(options) }, options);
  }

  get(contactId: string, options?: RequestOptions): Promise<Contact> {
    return this.#transport.json('getContact', { path: { contactId } }, options);
  }

  /** The newest first. */
  list(query: Query<'listContacts'> = {}, options?: RequestOptions): List<ContactPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json('listContacts', { query: { ...query, cursor } }, options),
    );
  }

  /** Changes what is sent; null clears a field or removes a custom property. */
  update(contactId: string, body: Body<'updateContact'>, options?: RequestOptions): Promise<Contact> {
    return this.#transport.json('updateContact', { path: { contactId }, body }, options);
  }

  /** As {@link update}; with `phoneNumber`, the contact is created if there is none. */
  updateByExternalId(
    externalId: string,
    body: Body<'updateContactByExternalId'>,
    options?: RequestOptions,
  ): Promise<Contact> {
    return this.#transport.json('updateContactByExternalId', { path: { externalId }, body }, options);
  }

  /** Permanently deletes the data of the person. */
  erase(contactId: string, options?: RequestOptions): Promise<void> {
    return this.#transport.json('eraseContact', { path: { contactId } }, options);
  }

  /** Everything that is stored about the person. */
  exportPerson(contactId: string, options?: RequestOptions): Promise<ContactExport> {
    return this.#transport.json('exportContact', { path: { contactId } }, options);
  }

  /** All contacts in one answer, the newest first. */
  export(filters: ExportFilters = {}, options?: RequestOptions): AsyncGenerator<Contact, void, undefined> {
    const input = { query: { ...filters, format: 'ndjson' as const }, accept: 'application/x-ndjson' };
    return valuesOf(this.#transport.bytes('exportContacts', input, options));
  }

  /** The same as the bytes of a CSV file. */
  exportCsv(filters: CsvFilters = {}, options?: RequestOptions): AsyncGenerator<Uint8Array, void, undefined> {
    const input = { query: { ...filters, format: 'csv' as const }, accept: 'text/csv' };
    return this.#transport.bytes('exportContacts', input, options);
  }
}
