import { Injectable } from '@nestjs/common';
import { type Warned } from '../../domain/near-misses.js';
import { team } from '../../database/team-scope.js';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { query, Transactions } from '../../database/transactions.js';
import { AppError, notFound } from '../../http/app-error.js';
import { type StoredAnswer } from '../../idempotency/idempotency.js';
import { type OnceAnswer, runOnce } from '../../idempotency/run-once.js';
import { type AdmittedKey } from '../../teams/key-of-request.js';
import { admit, admitKeyed, type AdmittedRequest, type KeyedRequest } from '../../teams/keyed-request.js';
import { type RequestTrace } from '../../telemetry/request-trace.js';
import { ENROLL_KEYS, type EnrollRequest, parseEnrollRequest } from './enroll-request.js';
import { ALREADY_ENROLLED, NOT_ACTIVE } from './enroll-refusals.js';
import { type EnrollmentStatus } from './enrollment.entity.js';
import { parseReentry } from '../../domain/campaigns/definition/parse-settings.js';
import { mayEnterAgain } from '../../domain/campaigns/reentry.js';
import { ENROLL, type EnrolledRow, type EnrollmentRow, FIND_ENROLLMENTS } from './enroll.sql.js';

/** An enrollment as its events show it. */
export interface EnrollmentView {
  enrollmentId: string;
  status: EnrollmentStatus;
  contactId: string;
  /** The external id that the contact has now; null: it has none. */
  externalId: string | null;
  campaignId: string;
  versionId: string;
  source: string | null;
  /** Counts the enrollments of the contact in the campaign; absent for the first. */
  entry?: number;
}

const FIRST_ENTRY = 1;

/**
 * Enrolls an existing contact (contract 4.3). A request that creates a contact can
 * also enroll it, but this may fail without an error. The list shows whether the contact is enrolled.
 */
@Injectable()
export class EnrollService {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
  ) {}

  /**
   * Contract 4.3.
   *
   * @throws AppError `UNAUTHORIZED`, `PAYLOAD_TOO_LARGE`, `INVALID_REQUEST`, `FORBIDDEN`, `NOT_FOUND`,
   *   `CONFLICT` for a contact that is enrolled already (whatever the campaign's status and the requested
   *   version), or `UNPROCESSABLE` for a campaign that is not active.
   */
  async enroll(request: KeyedRequest): Promise<OnceAnswer> {
    const admitted = await admitKeyed(this.transactions, request, parseEnrollRequest, ENROLL_KEYS);
    return this.enter(admitted, request.trace);
  }

  /**
   * Enrolls a contact again after its enrollment in the campaign has ended, on the current version.
   *
   * @returns the enrollment; null: the contact may not be enrolled again. @throws the database's error.
   */
  async enterAgain(
    by: AdmittedKey,
    contactId: string,
    campaignId: string,
    trace: RequestTrace,
  ): Promise<string | null> {
    const value = { teamId: null, contactId, campaignId, version: 'current', source: null } as const;
    try {
      const { body } = await this.enter({ ...by, key: null, value, warned: {} }, trace);
      return body.enrollmentId as string;
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }

  private async enter(
    { keyHash, teamId, key, value, warned }: AdmittedRequest<EnrollRequest>,
    trace: RequestTrace,
  ): Promise<OnceAnswer> {
    const answerOf = (row: EnrolledRow) => enrolledAnswer(row, warned);
    const run = (entry: number) =>
      this.semaphore.runWithLocks(teamId, () =>
        runOnce<EnrolledRow>(
          this.transactions,
          keyHash,
          key,
          value.teamId,
          enrolling(keyHash, value, entry),
          answerOf,
        ),
      );
    const first = await run(FIRST_ENTRY);
    if (first.replay !== null) return { ...first.replay, replayed: true };
    const row = admit(first.rows, trace);
    if (row.contact_id === null) throw notFound('Contact');
    if (row.campaign_status === null) throw notFound('Campaign');
    const entry = entryOf(row);
    if (row.version_id === null) throw notFound('Campaign version');
    if (row.campaign_status !== 'active') throw new AppError('UNPROCESSABLE', NOT_ACTIVE);
    let answer = answerOf(row);
    if (answer === null && entry > FIRST_ENTRY) {
      const { rows, replay } = await run(entry);
      if (replay !== null) return { ...replay, replayed: true };
      answer = rows[0] === undefined ? null : answerOf(rows[0]);
    }
    if (answer === null) throw await this.enrolledMeanwhile(row.team_id, value);
    return { ...answer, replayed: false };
  }

  /**
   * Reads the enrollment that a concurrent request has made. A separate statement reads it, because the
   * statement that enrolls does not see rows that were committed while it ran.
   */
  private async enrolledMeanwhile(teamId: string, { campaignId, contactId }: EnrollRequest): Promise<Error> {
    const existing = query(FIND_ENROLLMENTS, teamId, campaignId, contactId);
    const [row] = await this.transactions.within(team(teamId)).read<EnrollmentRow>(existing);
    if (row === undefined) return new Error('An enrollment prevented this one, and does not exist any more');
    return alreadyEnrolled(row.id, row.status, row.entry);
  }
}

/** `entry` is absent for the first entry, because most campaigns have no further entries. */
function alreadyEnrolled(enrollmentId: string, status: EnrollmentStatus, entry: number): AppError {
  const details = { enrollmentId, status, ...(entry > FIRST_ENTRY && { entry }) };
  return new AppError('CONFLICT', ALREADY_ENROLLED, details);
}

/** The success answer of contract 4.3; null if the statement did not enroll. */
function enrolledAnswer({ enrollment_id: enrollmentId }: EnrolledRow, warned: Warned): StoredAnswer | null {
  if (enrollmentId === null) return null;
  return { status: 201, body: { message: 'Contact enrolled successfully', enrollmentId, ...warned } };
}

function enrolling(
  keyHash: Buffer,
  { teamId, contactId, campaignId, version, source }: EnrollRequest,
  entry: number,
) {
  const [kind, versionId] = typeof version === 'string' ? [version, null] : ['id', version.id];
  return query(ENROLL, keyHash, teamId, contactId, campaignId, kind, versionId, source, entry);
}

/**
 * Which entry of the contact is to be made, from 1.
 *
 * @throws AppError `CONFLICT` naming the live entry, or the last entry if the contact may not enter again.
 */
function entryOf(row: EnrolledRow): number {
  const { existing_id: id, existing_status: status, existing_entry: entry, now } = row;
  if (id === null || status === null || entry === null) return FIRST_ENTRY;
  const reentry = parseReentry(row.reentry);
  const last = { entry, endedAt: row.existing_ended_at };
  if (reentry.ok && mayEnterAgain(reentry.value, last, row.zone ?? 'UTC', now)) return entry + 1;
  throw alreadyEnrolled(id, status, entry);
}

export function enrollmentViewOf(row: Omit<EnrollmentRow, 'enrolled'>): EnrollmentView {
  return {
    enrollmentId: row.id,
    status: row.status,
    contactId: row.contact_id,
    externalId: row.external_id,
    campaignId: row.campaign_id,
    versionId: row.version_id,
    source: row.source,
    ...(row.entry > FIRST_ENTRY && { entry: row.entry }),
  };
}
