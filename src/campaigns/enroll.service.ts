import { Injectable } from '@nestjs/common';
import { team } from '../database/team-scope.js';
import { TeamSemaphore } from '../database/team-semaphore.js';
import { query, Transactions } from '../database/transactions.js';
import { AppError, invalid, notFound } from '../http/app-error.js';
import { malformedCursor, pageOf, type PageRequest } from '../http/page.js';
import { isUuid } from '../http/validators.js';
import { type StoredAnswer } from '../idempotency/idempotency.js';
import { type OnceAnswer, runOnce } from '../idempotency/run-once.js';
import { admit, admitKeyed, type KeyedRequest } from '../teams/keyed-request.js';
import { type EnrollRequest, parseEnrollRequest } from './enroll-request.js';
import { type EnrollmentStatus } from './enrollment.entity.js';
import {
  ENROLL,
  type EnrolledRow,
  ENROLLMENTS_OF_CAMPAIGN,
  ENROLLMENTS_OF_CONTACT,
  type EnrollmentRow,
  FIND_ENROLLMENT,
} from './sql/enroll.sql.js';

/** An enrollment as its team sees it. */
export interface EnrollmentView {
  enrollmentId: string;
  status: EnrollmentStatus;
  contactId: string;
  campaignId: string;
  versionId: string;
  source: string | null;
}

/** `nextCursor` is there only where there is a next page. */
export interface EnrollmentPage {
  items: EnrollmentView[];
  nextCursor?: string;
}

/** What a list of enrollments can be narrowed to. */
export const ENROLLMENT_FILTERS = ['contactId', 'campaignId'] as const;
export type EnrollmentFilter = (typeof ENROLLMENT_FILTERS)[number];

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Enrolling an existing contact (contract 4.3), and the list by which a caller verifies a best-effort enrollment. */
@Injectable()
export class EnrollService {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: TeamSemaphore,
  ) {}

  /**
   * Contract 4.3.
   *
   * @throws AppError `UNAUTHORIZED`, `PAYLOAD_TOO_LARGE`, `INVALID_REQUEST`, `FORBIDDEN`, `NOT_FOUND`, `CONFLICT` for a
   *   contact that is enrolled already (whatever the campaign's status or the version asked for), or `UNPROCESSABLE` for
   *   a campaign that is not active.
   */
  async enroll(request: KeyedRequest): Promise<OnceAnswer> {
    const { keyHash, teamId, key, value } = await admitKeyed(this.transactions, request, parseEnrollRequest);
    const work = enrolling(keyHash, value);
    const { rows, replay } = await this.semaphore.runWithLocks(teamId, () =>
      runOnce<EnrolledRow>(this.transactions, keyHash, key, value.teamId, work, answerOf),
    );
    if (replay !== null) return { ...replay, replayed: true };
    const row = admit(rows, request.trace);
    if (row.contact_id === null) throw notFound('Contact');
    if (row.campaign_status === null) throw notFound('Campaign');
    if (row.existing_id !== null && row.existing_status !== null) {
      throw alreadyEnrolled(row.existing_id, row.existing_status);
    }
    if (row.version_id === null) throw notFound('Campaign version');
    if (row.campaign_status !== 'active') throw new AppError('UNPROCESSABLE', 'The campaign is not active');
    const answer = answerOf(row);
    if (answer === null) throw await this.enrolledMeanwhile(row.team_id, value);
    return { ...answer, replayed: false };
  }

  /**
   * The team's enrollments of a contact, in a campaign, or both.
   *
   * @throws AppError `INVALID_REQUEST` naming a parameter that is malformed, or when both are missing.
   */
  async list(teamId: string, request: PageRequest<EnrollmentFilter>): Promise<EnrollmentPage> {
    const { contactId, campaignId } = request.filters;
    for (const filter of ENROLLMENT_FILTERS) {
      const id = request.filters[filter];
      if (id !== undefined && !isUuid(id)) throw invalid(`${filter} must be a UUID`);
    }
    const after = afterOf(request.after);
    const own = this.transactions.within(team(teamId));
    if (contactId !== undefined && campaignId !== undefined) {
      const one = query(FIND_ENROLLMENT, teamId, campaignId, contactId);
      return { items: (await own.read<EnrollmentRow>(one)).map(viewOf) };
    }
    const [statement, id, keyOf] =
      contactId !== undefined
        ? ([ENROLLMENTS_OF_CONTACT, contactId, (row: EnrollmentRow) => row.campaign_id] as const)
        : ([ENROLLMENTS_OF_CAMPAIGN, campaignId, (row: EnrollmentRow) => row.contact_id] as const);
    if (id === undefined) throw invalid('contactId or campaignId is required');
    const page = query(statement, teamId, id, after, request.limit + 1);
    const rows = await own.read<EnrollmentRow>(page);
    const { items, nextCursor } = pageOf(rows, request, (row) => [keyOf(row)], viewOf);
    return nextCursor === null ? { items } : { items, nextCursor };
  }

  /** Read by a statement of its own: the one that enrolls cannot see what was committed while it ran. */
  private async enrolledMeanwhile(teamId: string, { campaignId, contactId }: EnrollRequest): Promise<Error> {
    const existing = query(FIND_ENROLLMENT, teamId, campaignId, contactId);
    const [row] = await this.transactions.within(team(teamId)).read<EnrollmentRow>(existing);
    if (row === undefined) return new Error('An enrollment was in the way, and is gone');
    return alreadyEnrolled(row.id, row.status);
  }
}

function alreadyEnrolled(enrollmentId: string, status: EnrollmentStatus): AppError {
  return new AppError('CONFLICT', 'Contact is already enrolled in this campaign', { enrollmentId, status });
}

/** The success answer of contract 4.3; null where this statement did not enroll. */
function answerOf({ enrollment_id: enrollmentId }: EnrolledRow): StoredAnswer | null {
  if (enrollmentId === null) return null;
  return { status: 201, body: { message: 'Contact enrolled successfully', enrollmentId } };
}

function enrolling(keyHash: Buffer, { teamId, contactId, campaignId, version, source }: EnrollRequest) {
  const [kind, versionId] = typeof version === 'string' ? [version, null] : ['id', version.id];
  return query(ENROLL, keyHash, teamId, contactId, campaignId, kind, versionId, source);
}

function afterOf(cursor: string[] | null): string {
  if (cursor === null) return NIL_UUID;
  const [key, ...more] = cursor;
  if (!isUuid(key) || more.length > 0) throw malformedCursor();
  return key;
}

function viewOf(row: EnrollmentRow): EnrollmentView {
  return {
    enrollmentId: row.id,
    status: row.status,
    contactId: row.contact_id,
    campaignId: row.campaign_id,
    versionId: row.version_id,
    source: row.source,
  };
}
