import { type Hold, shownWaitingFor } from '../definition/hold.js';
import { type WhyNot } from '../engine/why-not.js';
import { type Enrollment, type EnrollmentStatus } from '../enrollment/enrollment.entity.js';

/** The filters of the operator's list of enrollments. */
export const ENROLLMENT_LIST_FILTERS = [
  'versionId',
  'version',
  'status',
  'waitingFor',
  'phoneNumber',
] as const;
export type EnrollmentListFilter = (typeof ENROLLMENT_LIST_FILTERS)[number];

/** An enrollment as the operator lists it. */
export interface EnrollmentResource {
  id: string;
  enrollmentId: string;
  campaignId: string;
  contactId: string;
  versionId: string;
  /** Counts the enrollments of the contact in the campaign, from 1. */
  entry: number;
  status: EnrollmentStatus;
  /** One of `END_REASONS`; null while the enrollment is live. */
  endReason: string | null;
  /** The key of the current step; null before the first step. */
  step: string | null;
  /**
   * When the enrollment is dialed next if nothing changes. Null if only a change leads to a dial, and after
   * the end.
   */
  nextAttemptAt: string | null;
  /** One of `WAITING_FOR`; null before the first look, after the end, and if the version places no calls. */
  waitingFor: string | null;
  source: string | null;
  createdAt: string;
  updatedAt: string;
}

/** An enrollment as its team or the operator reads it. */
export interface EnrollmentDetail extends EnrollmentResource {
  /** Processed dials. */
  attempts: number;
  /** Why the enrollment is not dialed now; null if no rule prevents its dial, and after the end. */
  whyNot: WhyNot | null;
  /** What happened to the enrollment, oldest first. */
  timeline: TimelineEntry[];
}

/** One entry of a timeline. Its other keys depend on its kind. */
export interface TimelineEntry {
  at: string;
  kind: string;
  [detail: string]: unknown;
}

/** @param attempts how many dials of the enrollment were processed. */
export function enrollmentDetail(
  enrollment: Enrollment,
  attempts: number,
  whyNot: WhyNot | null,
): EnrollmentDetail {
  const timeline = enrollment.timeline as TimelineEntry[];
  const resource = enrollmentResource(enrollment, null);
  return {
    ...resource,
    // The rule is as of now; what is stored is as of the last decision. If they differ, the stored instant is
    // that of the stored rule.
    waitingFor: whyNot?.rule ?? resource.waitingFor,
    nextAttemptAt:
      whyNot !== null && whyNot.rule !== enrollment.waitingFor
        ? (whyNot.retryAt ?? resource.nextAttemptAt)
        : resource.nextAttemptAt,
    attempts,
    whyNot,
    // Postgres orders the keys by length. For a reader, `at` and `kind` come first.
    timeline: timeline.map(({ at, kind, ...details }) => ({ at, kind, ...details })),
  };
}

/** The columns of a row that its resource shows. */
export type ShownEnrollment = Pick<
  Enrollment,
  | ('id' | 'campaignId' | 'contactId' | 'versionId' | 'entry' | 'status' | 'source' | 'endReason' | 'step')
  | ('nextAttemptAt' | 'waitingFor' | 'createdAt' | 'updatedAt')
>;

/** @param hold of its campaign. */
export function enrollmentResource(enrollment: ShownEnrollment, hold: Hold): EnrollmentResource {
  const { id, campaignId, contactId, versionId, entry, status, source, createdAt, updatedAt } = enrollment;
  const { endReason, step, nextAttemptAt, waitingFor } = enrollment;
  return {
    id,
    enrollmentId: id,
    campaignId,
    contactId,
    versionId,
    entry,
    status,
    endReason,
    step,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    waitingFor: status === 'active' || status === 'paused' ? shownWaitingFor(waitingFor, hold) : waitingFor,
    source,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
