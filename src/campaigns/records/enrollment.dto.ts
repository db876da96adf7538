import { type WhyNot } from '../engine/why-not.js';
import { type Enrollment, type EnrollmentStatus } from '../enrollment/enrollment.entity.js';

/** What the operator can narrow a campaign's enrollments to. */
export const ENROLLMENT_LIST_FILTERS = ['versionId', 'version', 'status', 'waitingFor'] as const;
export type EnrollmentListFilter = (typeof ENROLLMENT_LIST_FILTERS)[number];

/** An enrollment as the operator lists it. */
export interface EnrollmentResource {
  id: string;
  enrollmentId: string;
  campaignId: string;
  contactId: string;
  versionId: string;
  /** Which enrollment of the contact in the campaign it is, from 1. */
  entry: number;
  status: EnrollmentStatus;
  /** One of `END_REASONS`; null while the enrollment is live. */
  endReason: string | null;
  /** The key of the step that it is at; null before the first step. */
  step: string | null;
  /** When it is dialed next if nothing changes; null where only a change helps, and when ended. */
  nextAttemptAt: string | null;
  /** One of `WAITING_FOR`; null before the first look, where its version places no calls, and when ended. */
  waitingFor: string | null;
  source: string | null;
  createdAt: string;
  updatedAt: string;
}

/** An enrollment as the operator reads it. */
export interface EnrollmentDetail extends EnrollmentResource {
  /** Processed dials. */
  attempts: number;
  /** Why it is not dialed now; null where it is dialed next, moves on, or has ended. */
  whyNot: WhyNot | null;
  /** What happened to it, oldest first. */
  timeline: TimelineEntry[];
}

/** One line of a timeline; what else it has depends on its kind. */
export interface TimelineEntry {
  at: string;
  kind: string;
  [detail: string]: unknown;
}

/** @param attempts how many of its dials were processed. */
export function enrollmentDetail(
  enrollment: Enrollment,
  attempts: number,
  whyNot: WhyNot | null,
): EnrollmentDetail {
  const timeline = enrollment.timeline as TimelineEntry[];
  return {
    ...enrollmentResource(enrollment),
    attempts,
    whyNot,
    // Postgres orders keys by their length; what is read first comes first.
    timeline: timeline.map(({ at, kind, ...details }) => ({ at, kind, ...details })),
  };
}

/** The columns of a row that its resource shows. */
export type ShownEnrollment = Pick<
  Enrollment,
  | ('id' | 'campaignId' | 'contactId' | 'versionId' | 'entry' | 'status' | 'source' | 'endReason' | 'step')
  | ('nextAttemptAt' | 'waitingFor' | 'createdAt' | 'updatedAt')
>;

export function enrollmentResource(enrollment: ShownEnrollment): EnrollmentResource {
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
    waitingFor,
    source,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
