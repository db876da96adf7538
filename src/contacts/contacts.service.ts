import { Injectable, Logger } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { enrollmentWarnings, NOT_ENROLLED } from '../campaigns/enrollment/campaign-warnings.js';
import { EnrollService } from '../campaigns/enrollment/enroll.service.js';
import { team } from '../database/team-scope.js';
import { KeyedSemaphore } from '../database/keyed-semaphore.js';
import { query, Transactions } from '../database/transactions.js';
import {
  CONTACT_FIELD_NAMES,
  contactFieldRow,
  type ContactFieldValues,
  EXTERNAL_ID,
  fieldsOfRow,
} from '../domain/contact-fields.js';
import { toChange } from '../domain/key-scopes.js';
import { type Warned, warned, type Warning } from '../domain/near-misses.js';
import { AppError, invalid, notFound } from '../http/app-error.js';
import { describeError } from '../telemetry/describe-error.js';
import { isUuid } from '../http/validators.js';
import { type IdempotencyKey, type StoredAnswer } from '../idempotency/idempotency.js';
import { type OnceAnswer, type RunOnce } from '../idempotency/run-once.js';
import { type AdmittedKey } from '../teams/key-of-request.js';
import { requireScope } from '../teams/key-scope.guard.js';
import { admit, admitKeyed, type KeyedRequest } from '../teams/keyed-request.js';
import { type RequestTrace } from '../telemetry/request-trace.js';
import { CONTACT_KEYS, type ContactRequest, TOO_LARGE } from './contact-request.js';
import { type ContactWrite, ContactWriter } from './contact-writer.js';
import { conflict, conflictOf, contactParser, type ParsedExternalId } from './external-id.js';
import { type Holders, HOLDERS } from './sql/external-id.sql.js';
import { type ContactRow, FIND_CONTACT } from './sql/read.sql.js';
import { CREATE_CONTACT, type StoredContactRow, type Storing, UPSERT_CONTACT } from './sql/store.sql.js';

/** A contact as its team sees it. */
export interface ContactView extends ContactFieldValues {
  contactId: string;
  phoneNumber: string;
  customProperties: Record<string, unknown>;
}

/** The fields of a contact, in the order of an export's columns. */
export const CONTACT_COLUMNS = [
  'contactId',
  'phoneNumber',
  ...CONTACT_FIELD_NAMES,
  'customProperties',
] satisfies (keyof ContactView)[];

/** Creates and updates contacts (interface specification, 4.2 and 4.4), and reads a contact of a team. */
@Injectable()
export class ContactsService {
  private readonly logger = new Logger(ContactsService.name);

  private readonly creating: Writers;
  private readonly upserting: Writers;

  constructor(
    private readonly transactions: Transactions,
    semaphore: KeyedSemaphore,
    private readonly enrollments: EnrollService,
  ) {
    this.creating = writersOf(transactions, semaphore, CREATE_CONTACT);
    this.upserting = writersOf(transactions, semaphore, UPSERT_CONTACT);
  }

  /**
   * Contract 4.2.
   *
   * @throws AppError `UNAUTHORIZED`, `PAYLOAD_TOO_LARGE`, `INVALID_REQUEST` or `FORBIDDEN`. A number that the
   *   team has already, and properties that would be too large, are `INVALID_REQUEST`. A `campaignId` with a
   *   key that may not enroll is `FORBIDDEN`. An external id that another contact has is `CONFLICT`.
   */
  async create(request: KeyedRequest, externalId: ParsedExternalId): Promise<OnceAnswer> {
    const parse = contactParser(externalId);
    const keyed = await admitKeyed(this.transactions, request, parse, CONTACT_KEYS);
    if (keyed.value.campaignId !== null) requireScope(request, toChange('enrollments'));
    const stored = await this.store(this.creating, { ...keyed, trace: request.trace }, (contactId) => ({
      status: 201,
      body: { message: `Contact ${contactId} created successfully`, contactId },
    }));
    if (stored.kind === 'answered') return stored.answer;
    const holders = await this.holdersOf(stored.teamId, keyed.value);
    if (holders.of_number === null) throw refusalOf(holders);
    throw new AppError('INVALID_REQUEST', 'Contact existed', { contactId: holders.of_number });
  }

  /**
   * Contract 4.4: creates the contact, or updates the fields that were sent.
   *
   * @throws AppError as {@link create}, but never for a number that the team has. A number whose contact has
   *   another external id is `CONFLICT`.
   */
  async createOrUpdate(request: KeyedRequest, externalId: ParsedExternalId): Promise<OnceAnswer> {
    const parse = contactParser(externalId);
    const keyed = await admitKeyed(this.transactions, request, parse, CONTACT_KEYS);
    const stored = await this.store(this.upserting, { ...keyed, trace: request.trace }, (contactId) => ({
      status: 200,
      body: { message: 'success', contactId },
    }));
    if (stored.kind === 'answered') return stored.answer;
    throw refusalOf(await this.holdersOf(stored.teamId, keyed.value));
  }

  /**
   * The contacts that have a number and an external id. A separate statement reads them, because the insert
   * cannot see a contact that was committed while it ran.
   */
  async holdersOf(
    teamId: string,
    { phoneNumber, externalId }: { phoneNumber: string | null; externalId: string | null },
  ): Promise<Holders> {
    const own = this.transactions.within(team(teamId));
    const [holders] = await own.read<Holders & Record<string, unknown>>(
      query(HOLDERS, teamId, phoneNumber, externalId),
    );
    if (holders === undefined) throw new Error('The statement returned no row');
    return holders;
  }

  /** @throws AppError `NOT_FOUND`, also for another team's contact. */
  async get(teamId: string, contactId: string): Promise<ContactView> {
    const own = this.transactions.within(team(teamId));
    const [row] = isUuid(contactId) ? await own.read<ContactRow>(query(FIND_CONTACT, teamId, contactId)) : [];
    if (row === undefined) throw notFound('Contact');
    return contactViewOf(row);
  }

  /**
   * Stores the contact. If the request names a campaign, one statement stores the contact and enrolls it. The
   * enrollment is best effort. If Postgres refuses that statement, nothing is written, and another statement
   * stores the contact without an enrollment. Any other error fails the request.
   */
  private async store(
    { contactOnly, enrolling }: Writers,
    { keyHash, teamId, key, value: contact, warned: { warnings = [] }, trace }: KeyedContact,
    success: (contactId: string) => Success,
  ): Promise<Stored> {
    const { campaignId } = contact;
    const write: ContactWrite = { teamId, keyHash, contact: columnsOf(contact) };
    const answering =
      (warningsOf: (row: StoredContactRow) => readonly Warning[]) =>
      (row: StoredContactRow): StoredAnswer | null => {
        if (row.contact_id === null) return null;
        const { status, body } = success(row.contact_id);
        return { status, body: { ...body, ...warned([...warnings, ...warningsOf(row)]) } };
      };
    if (campaignId === null) {
      const answerOf = answering(() => []);
      return storedBy(await contactOnly.write(write, key, answerOf), answerOf, trace);
    }
    try {
      const answerOf = answering(enrollmentWarnings);
      const result = await enrolling.write(write, key, answerOf);
      for (const row of result.rows ?? []) {
        const enrollmentId = await this.followUp(row, { keyHash, teamId }, campaignId, trace);
        // An answer that is stored for its key was decided before, and stays as it is.
        if (key === null) Object.assign(row, { enrollment_id: enrollmentId, may_enter_again: false });
      }
      return storedBy(result, answerOf, trace);
    } catch (error) {
      // After a lost connection the contact may or may not be stored.
      if (!(error instanceof DatabaseError)) throw error;
      const answerOf = answering(() => NOT_ENROLLED);
      const result = await contactOnly.write(write, key, answerOf);
      for (const row of result.rows ?? []) {
        this.logger.error(`${notEnrolled(row, campaignId)}: ${describeError(error)}`);
      }
      return storedBy(result, answerOf, trace);
    }
  }

  /**
   * Enrolls a stored contact again if its campaign allows another enrollment, and logs a missing enrollment.
   * Never throws.
   *
   * @returns the enrollment; null: the contact was not enrolled.
   */
  private async followUp(
    row: StoredContactRow,
    by: AdmittedKey,
    campaignId: string,
    trace: RequestTrace,
  ): Promise<string | null> {
    const { contact_id: contactId, enrollment_id: enrollmentId, may_enter_again: may } = row;
    try {
      if (may && contactId !== null && enrollmentId === null) {
        const entered = await this.enrollments.enterAgain(by, contactId, campaignId, trace);
        if (entered !== null) return entered;
      }
      this.logOutcome(row, campaignId);
    } catch (error) {
      this.logger.error(`${notEnrolled(row, campaignId)}: ${describeError(error)}`);
    }
    return enrollmentId;
  }

  private logOutcome(row: StoredContactRow, campaignId: string): void {
    if (row.enrollment_id !== null || row.contact_id === null) return;
    const what = notEnrolled(row, campaignId);
    if (row.campaign_status === null) this.logger.warn(`${what}: the team has no such campaign`);
    else if (row.campaign_status !== 'active') {
      this.logger.warn(`${what}: the campaign is ${row.campaign_status}`);
    } else this.logger.log(`${what}: it is enrolled already`);
  }
}

interface Writers {
  contactOnly: ContactWriter;
  enrolling: ContactWriter;
}

type KeyedContact = AdmittedKey & {
  key: IdempotencyKey | null;
  value: ContactRequest;
  warned: Warned;
  trace: RequestTrace;
};

/** A success answer before warnings are added. */
type Success = Pick<StoredAnswer, 'status'> & { body: Record<string, unknown> };

type Stored = { kind: 'answered'; answer: OnceAnswer } | { kind: 'not_stored'; teamId: string };

/** @throws AppError if the API key does not admit the request. */
function storedBy(
  { rows, replay }: RunOnce<StoredContactRow>,
  answerOf: (row: StoredContactRow) => StoredAnswer | null,
  trace: RequestTrace,
): Stored {
  if (replay !== null) return { kind: 'answered', answer: { ...replay, replayed: true } };
  const row = admit(rows, trace);
  const answer = answerOf(row);
  if (answer === null) return { kind: 'not_stored', teamId: row.team_id };
  return { kind: 'answered', answer: { ...answer, replayed: false } };
}

function notEnrolled(row: StoredContactRow, campaignId: string): string {
  return `Contact ${row.contact_id} was not enrolled in campaign ${campaignId}`;
}

function columnsOf(contact: ContactRequest): ContactWrite['contact'] {
  return {
    team_id: contact.teamId,
    phone_number: contact.phoneNumber,
    ...contactFieldRow(contact),
    custom_properties: contact.customProperties,
    campaign_id: contact.campaignId,
  };
}

function writersOf(
  transactions: Transactions,
  semaphore: KeyedSemaphore,
  { contactOnly, keyed, enrolling }: Storing,
): Writers {
  return {
    contactOnly: new ContactWriter(transactions, semaphore, contactOnly, keyed),
    enrolling: new ContactWriter(transactions, semaphore, enrolling, enrolling),
  };
}

/** Why a contact was not stored whose number is not the reason. */
function refusalOf(holders: Holders): AppError {
  const found = conflictOf(holders, EXTERNAL_ID.header);
  return found === null ? tooLarge() : conflict(found);
}

export function tooLarge(): AppError {
  return invalid(TOO_LARGE);
}

export function contactViewOf(row: ContactRow): ContactView {
  return {
    contactId: row.id,
    phoneNumber: row.phone_number,
    ...fieldsOfRow(row),
    customProperties: row.custom_properties,
  };
}
