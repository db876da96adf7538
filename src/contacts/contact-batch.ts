import { type QueryResult } from 'pg';
import { enterAgain, entryKey, type LeftOut } from '../campaigns/enrollment/enter-again.js';
import { ALREADY_ENROLLED, ARCHIVED } from '../campaigns/enrollment/enroll-refusals.js';
import { query, type Query, type TransactionStep } from '../database/transactions.js';
import { contactFieldRow } from '../domain/contact-fields.js';
import { faulty } from '../http/app-error.js';
import { type ContactRequest, FIELD_KEYS, parseContactRequest, TOO_LARGE } from './contact-request.js';
import { conflictOf } from './external-id.js';
import { type Holders, HOLDERS_OF_ROWS, type HoldersOfRow } from './sql/external-id.sql.js';
import {
  CREATE_CONTACT,
  type ImportedContactRow,
  type NewContact,
  type Storing,
  UPSERT_CONTACT,
} from './sql/store.sql.js';

// What a dry run needs to know of the external ids of rows.
export { conflictOf, HOLDERS_OF_ROWS, type Holders, type HoldersOfRow };

/** The error of a contact that the team has, in the mode `create`. */
export const EXISTED = 'Contact existed';
/** The error of a contact whose custom properties are too large. */
export const PROPERTIES_TOO_LARGE = TOO_LARGE;

/** How a contact is processed if the team already has its number: as an error, or as an update. */
export type BatchMode = 'create' | 'upsert';

/** The campaign of contacts that name none, and the version on which they are enrolled. */
export interface BatchCampaign {
  campaignId: string | null;
  versionId: string | null;
}

/** A contact of a batch, which belongs to the team of the batch. */
export type BatchedContact = Omit<NewContact, 'key_hash' | 'team_id'>;

/**
 * The result of a contact. `notEnrolled`: why it was not enrolled in the campaign that it or the batch names.
 */
export type BatchResult =
  | {
      contactId: string;
      enrollmentId: string | null;
      notEnrolled: string | null;
      created: boolean;
      /** When the contact was changed before this; null: it is new or was not changed. */
      changedBefore: string | null;
    }
  | { error: string; contactId: string | null };

const STORING: Record<BatchMode, Storing> = { create: CREATE_CONTACT, upsert: UPSERT_CONTACT };

/** A row of a file. Its `properties` are custom properties, whatever their keys. */
export interface BatchedRow {
  /** As a body of contract 4.2 and 4.4, with all fields of a contact. */
  body: Record<string, unknown>;
  /** A key of `body` has precedence. */
  properties: Record<string, unknown>;
}

/** A fault for which a field was left out: its name, and a text for people. */
export interface LeftOutField {
  key: string;
  text: string;
}

export type ReadRow =
  | { ok: true; contact: BatchedContact; country: string | null; warnings: LeftOutField[] }
  | { ok: false; message: string };

/**
 * Reads a row as the endpoints of contract 4.2 and 4.4 read their body, and the external id as a field.
 *
 * @param teamId the team of the batch.
 * @param defaultCountry the country of a number in national form; null: such a number is refused.
 * @param isStrict whether a malformed e-mail address is an error. Else it is left out with a warning.
 */
export function readBatched(
  { body, properties }: BatchedRow,
  teamId: string,
  defaultCountry: string | null,
  campaign: BatchCampaign,
  { isStrict, acceptUnknownRanges = false }: { isStrict: boolean; acceptUnknownRanges?: boolean },
): ReadRow {
  const parsed = parseContactRequest(body, defaultCountry, acceptUnknownRanges, FIELD_KEYS);
  if (!parsed.ok) {
    const { problems = [] } = parsed;
    const ofEmail = isStrict ? [] : problems.filter(({ path }) => path === 'email');
    const [fault] = ofEmail;
    if (fault === undefined) return parsed;
    if (problems.length > ofEmail.length) return faulty(problems.filter((one) => !ofEmail.includes(one)));
    const read = readBatched({ body: withoutEmail(body), properties }, teamId, defaultCountry, campaign, {
      isStrict,
      acceptUnknownRanges,
    });
    const warning = { key: 'email', text: `${fault.message}; it was left out` };
    return read.ok ? { ...read, warnings: [...read.warnings, warning] } : read;
  }
  if (parsed.value.teamId !== null && parsed.value.teamId !== teamId)
    return { ok: false, message: 'teamId must be the team of the API key' };
  const contact = columnsOf(parsed.value, campaign);
  const custom_properties = { ...properties, ...contact.custom_properties };
  return {
    ok: true,
    contact: { ...contact, custom_properties },
    country: parsed.value.country,
    warnings: [],
  };
}

function withoutEmail({ email: _, ...body }: Record<string, unknown>): Record<string, unknown> {
  return body;
}

/** Stores and enrolls contacts of one team, within a transaction of the caller with the scope of the team. */
export class ContactBatch {
  private readonly waves: BatchedContact[][];

  constructor(
    private readonly mode: BatchMode,
    private readonly teamId: string,
    private readonly contacts: BatchedContact[],
    private readonly campaign: BatchCampaign,
  ) {
    this.waves = inWaves(contacts, keysOf);
  }

  /**
   * The statements that store and enroll the contacts, in the order in which they must be sent. Contacts with
   * the same number or external id are in different statements.
   */
  get statements(): Query[] {
    const { contactOnly, enrolling } = STORING[this.mode].imported;
    const { campaignId, versionId } = this.campaign;
    return this.waves.map((wave) =>
      wave.some(({ campaign_id: id }) => id !== null)
        ? query(enrolling, JSON.stringify(wave), this.teamId, campaignId, versionId)
        : query(contactOnly, JSON.stringify(wave), this.teamId),
    );
  }

  /**
   * The step after {@link statements}: enrolls contacts again if their campaign allows another enrollment.
   *
   * @param answers the results of the statements.
   * @param then gets the results of the contacts in their order, and returns the next step of the transaction.
   */
  stored<T>(
    answers: readonly QueryResult[],
    then: (results: BatchResult[]) => TransactionStep<T>,
  ): TransactionStep<T> {
    const rows = this.rowsOf(answers.map((answer) => answer.rows as ImportedContactRow[]));
    return this.withHolders(rows, (holders) =>
      enterAgain({ teamId: this.teamId, ...this.campaign }, this.leftOut(rows), (entered) =>
        then(this.results(rows, holders, entered)),
      ),
    );
  }

  private rowsOf(stored: readonly ImportedContactRow[][]): StoredRows {
    const rows = new Map<BatchedContact | undefined, ImportedContactRow>();
    this.waves.forEach((wave, index) => {
      for (const row of stored[index] ?? []) rows.set(wave[row.n], row);
    });
    return rows;
  }

  /**
   * If contacts were not stored, looks up the contacts that have their numbers and their external ids. In the mode
   * `upsert`, a contact without an external id can only be too large.
   */
  private withHolders<T>(
    rows: StoredRows,
    then: (holders: ReadonlyMap<BatchedContact, Holders>) => TransactionStep<T>,
  ): TransactionStep<T> {
    const left = this.contacts.filter(
      (contact) => !isStored(rows.get(contact)) && (this.mode === 'create' || contact.external_id !== null),
    );
    if (left.length === 0) return then(new Map());
    const numbers = left.map(({ phone_number: number }) => number);
    const externalIds = left.map(({ external_id: externalId }) => externalId);
    return {
      next: [query(HOLDERS_OF_ROWS, this.teamId, numbers, externalIds)],
      decide: ([found]) => {
        const holders = new Map<BatchedContact, Holders>();
        for (const { n, ...of } of (found?.rows ?? []) as HoldersOfRow[]) {
          const contact = left[n];
          if (contact !== undefined) holders.set(contact, of);
        }
        return then(holders);
      },
    };
  }

  private leftOut(rows: StoredRows): LeftOut[] {
    return this.contacts.flatMap((contact) => {
      const row = rows.get(contact);
      const { campaign_id: campaignId } = contact;
      if (!isStored(row) || campaignId === null || row.enrollment_id !== null) return [];
      return row.may_enter_again ? [{ contactId: row.contact_id, campaignId }] : [];
    });
  }

  /**
   * @param entered the new enrollments. If several rows are for the same contact, only the result of the first
   *   row has the enrollment.
   */
  private results(
    rows: StoredRows,
    holders: ReadonlyMap<BatchedContact, Holders>,
    entered: ReadonlyMap<string, string>,
  ): BatchResult[] {
    const used = new Set<string>();
    return this.contacts.map((contact) => {
      const row = rows.get(contact);
      if (!isStored(row)) return this.refusalOf(holders.get(contact));
      const { contact_id: contactId, created, changed_before: changedBefore, enrollment_id: enrolled } = row;
      const stored = { contactId, created, changedBefore };
      const { campaign_id: campaignId } = contact;
      if (campaignId === null) return { ...stored, enrollmentId: null, notEnrolled: null };
      const key = entryKey({ contactId, campaignId });
      const enrollmentId = enrolled ?? (used.has(key) ? null : (entered.get(key) ?? null));
      if (enrolled === null) used.add(key);
      return { ...stored, enrollmentId, notEnrolled: enrollmentId === null ? reasonOf(row) : null };
    });
  }

  private refusalOf(holders: Holders | undefined): BatchResult {
    const existing = holders?.of_number ?? null;
    if (this.mode === 'create' && existing !== null) return { error: EXISTED, contactId: existing };
    const conflict = holders === undefined ? null : conflictOf(holders);
    return conflict === null
      ? { error: TOO_LARGE, contactId: null }
      : { error: conflict.message, contactId: conflict.contactId ?? null };
  }
}

/** What must not occur twice in a statement: the number, and the external id. */
function keysOf({ phone_number: number, external_id: externalId }: BatchedContact): string[] {
  return [`number ${number}`, ...(externalId === null ? [] : [`id ${externalId}`])];
}

type StoredRow = ImportedContactRow & { contact_id: string };
type StoredRows = ReadonlyMap<BatchedContact | undefined, ImportedContactRow>;

function isStored(row: ImportedContactRow | undefined): row is StoredRow {
  return row !== undefined && row.contact_id !== null;
}

/** Why a contact was not enrolled, with the message of the endpoint that enrolls. */
function reasonOf({ campaign_status: status }: ImportedContactRow): string {
  if (status === null) return 'Campaign not found';
  return status === 'archived' ? ARCHIVED : ALREADY_ENROLLED;
}

function columnsOf(contact: ContactRequest, { campaignId }: BatchCampaign): BatchedContact {
  return {
    phone_number: contact.phoneNumber,
    ...contactFieldRow(contact),
    custom_properties: contact.customProperties,
    campaign_id: contact.campaignId ?? campaignId,
  };
}

/**
 * Splits items into waves for statements that accept each key only once. Items with a key in common keep their
 * order.
 */
function inWaves<Item>(items: Item[], keysOfItem: (item: Item) => string[]): Item[][] {
  const waves: Item[][] = [];
  const seen = new Map<string, number>();
  for (const item of items) {
    const keys = keysOfItem(item);
    const wave = Math.max(...keys.map((key) => seen.get(key) ?? 0));
    for (const key of keys) seen.set(key, wave + 1);
    (waves[wave] ??= []).push(item);
  }
  return waves;
}
