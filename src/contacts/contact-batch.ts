import { inWaves } from '../database/batch-work.js';
import { query, type Query } from '../database/transactions.js';
import { type ContactRequest, parseContactRequest, TOO_LARGE } from './contact-request.js';
import {
  CREATE_CONTACT,
  type ImportedContactRow,
  type NewContact,
  type Storing,
  UPSERT_CONTACT,
} from './sql/store.sql.js';
import { CONTACTS_OF_NUMBERS } from './sql/read.sql.js';

/** How a contact that the team has is processed: as an error, or as an update. */
export type BatchMode = 'create' | 'upsert';

/** The campaign of contacts that name none, and the version on which they are enrolled. */
export interface BatchCampaign {
  campaignId: string | null;
  versionId: string | null;
}

/** A contact of a batch, which belongs to the team of the batch. */
export type BatchedContact = Omit<NewContact, 'key_hash' | 'team_id'>;

/** The result of a contact. */
export type BatchResult =
  | { contactId: string; enrollmentId: string | null; created: boolean }
  | { error: string; contactId: string | null };

const STORING: Record<BatchMode, Storing> = { create: CREATE_CONTACT, upsert: UPSERT_CONTACT };

/**
 * Reads a body of contract 4.2 and 4.4, as the endpoints do.
 *
 * @param teamId whose batch it is. @param defaultCountry in which a number in national form is read; null refuses it.
 */
export function readBatched(
  body: Record<string, unknown>,
  teamId: string,
  defaultCountry: string | null,
  campaign: BatchCampaign,
): { ok: true; value: BatchedContact } | { ok: false; message: string } {
  const parsed = parseContactRequest(body, defaultCountry);
  if (!parsed.ok) return parsed;
  if (parsed.value.teamId !== null && parsed.value.teamId !== teamId)
    return { ok: false, message: 'teamId must be the team of the API key' };
  return { ok: true, value: columnsOf(parsed.value, campaign) };
}

/** Stores and enrolls contacts of one team, within a transaction of the caller's that has the team's scope. */
export class ContactBatch {
  private readonly waves: BatchedContact[][];

  constructor(
    private readonly mode: BatchMode,
    private readonly teamId: string,
    private readonly contacts: BatchedContact[],
    private readonly campaign: BatchCampaign,
  ) {
    this.waves = inWaves(contacts, ({ phone_number: number }) => number);
  }

  /** One for each contact with the same number. To be sent in this order. */
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
   * Finds the contacts that the team had, where some were not created; null: there is nothing to find. Its rows go to {@link results}.
   *
   * @param stored the rows of each of the statements.
   */
  existing(stored: readonly (readonly object[])[]): Query | null {
    if (this.mode === 'upsert') return null;
    const left = this.waves.flatMap((wave, index) => {
      const found = (stored[index] ?? []) as readonly ImportedContactRow[];
      return found.filter(({ contact_id: id }) => id === null).map(({ n }) => wave[n]?.phone_number);
    });
    return left.length === 0 ? null : query(CONTACTS_OF_NUMBERS, this.teamId, left);
  }

  /** The result of each contact, in their order. @param stored the rows of each of the statements. */
  results(
    stored: readonly (readonly object[])[],
    existing: readonly { id: string; phone_number: string }[],
  ): BatchResult[] {
    const known = new Map(existing.map(({ id, phone_number: number }) => [number, id]));
    const rows = new Map<BatchedContact | undefined, ImportedContactRow>();
    this.waves.forEach((wave, index) => {
      for (const row of stored[index] as ImportedContactRow[]) rows.set(wave[row.n], row);
    });
    return this.contacts.map((contact) => {
      const row = rows.get(contact);
      const contactId = row?.contact_id ?? null;
      if (contactId !== null)
        return { contactId, enrollmentId: row?.enrollment_id ?? null, created: row?.created === true };
      const existingId = known.get(contact.phone_number) ?? null;
      return existingId === null
        ? { error: TOO_LARGE, contactId: null }
        : { error: 'Contact existed', contactId: existingId };
    });
  }
}

function columnsOf(contact: ContactRequest, { campaignId }: BatchCampaign): BatchedContact {
  return {
    phone_number: contact.phoneNumber,
    name: contact.name,
    email: contact.email,
    company_name: contact.companyName,
    company_website: contact.companyWebsite,
    timezone: contact.timezone,
    custom_properties: contact.customProperties,
    campaign_id: contact.campaignId ?? campaignId,
  };
}
