import { WAITING_FOR } from '../../domain/campaigns/decide/decision.js';
import { ENROLLMENT_STATES } from '../../domain/enrollment-states.js';
import { NATIONAL_FORM } from '../../http/body-schema.js';
import {
  type FilterOf,
  type ListFilter,
  oneOfFilter,
  phoneNumberFilter,
  uuidFilter,
} from '../../http/filters.js';
import { oneOf, UUID_SCHEMA } from '../../http/json-schema.js';
import { isUuid } from '../../http/validators.js';
import { type Hold, shownWaitingFor } from '../definition/hold.js';
import { type WhyNot } from '../engine/why-not.js';
import { type Enrollment, type EnrollmentStatus } from '../enrollment/enrollment.entity.js';

/** The versions of a campaign that a filter names instead of an id. */
const NAMED_VERSIONS = ['current', 'draft'] as const;

/** The filters of the operator's list of enrollments. The service chooses the statement by them. */
export const ENROLLMENT_LIST_FILTERS = {
  versionId: uuidFilter('Only enrollments on this version.'),
  version: {
    description: 'Only enrollments on this version: `current`, `draft` or the id of a version.',
    schema: { anyOf: [oneOf(NAMED_VERSIONS), UUID_SCHEMA] },
    rule: 'must be current, draft or the id of a campaign version',
    read: (text) =>
      NAMED_VERSIONS.find((name) => name === text) ?? (isUuid(text) ? text.toLowerCase() : undefined),
  } satisfies ListFilter<string>,
  status: oneOfFilter(ENROLLMENT_STATES, 'Only enrollments with this status.'),
  phoneNumber: phoneNumberFilter(`Only enrollments of the contact with this number. ${NATIONAL_FORM}`),
  waitingFor: oneOfFilter(WAITING_FOR, 'Only enrollments with this `waitingFor`.'),
};
export type EnrollmentListFilter = FilterOf<typeof ENROLLMENT_LIST_FILTERS>;

/** The filters of the team's list of enrollments, in all campaigns. */
export const ENROLLMENT_FILTERS = {
  contactId: uuidFilter('Only enrollments of this contact.'),
  campaignId: uuidFilter('Only enrollments in this campaign.'),
  ...ENROLLMENT_LIST_FILTERS,
};
export type EnrollmentFilter = FilterOf<typeof ENROLLMENT_FILTERS>;

/** A page of the team's list; `nextCursor` is absent on the last page. */
export interface EnrollmentPage {
  items: EnrollmentResource[];
  nextCursor?: string;
}

/** An enrollment as the operator lists it. */
export interface EnrollmentResource {
  id: string;
  enrollmentId: string;
  campaignId: string;
  contactId: string;
  /** The external id that the contact has now; null: it has none. */
  externalId: string | null;
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

export function enrollmentDetail(
  enrollment: Enrollment,
  { attempts, externalId }: EnrollmentFigures,
  whyNot: WhyNot | null,
): EnrollmentDetail {
  const timeline = enrollment.timeline as TimelineEntry[];
  const resource = enrollmentResource({ ...enrollment, externalId }, null);
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

/** What an enrollment shows beside its own columns. `attempts`: how many of its dials were processed. */
export type EnrollmentFigures = Pick<EnrollmentDetail, 'attempts' | 'externalId'>;

/** Of an enrollment that was removed since it was found. */
export const NO_FIGURES: EnrollmentFigures = { attempts: 0, externalId: null };

/** The columns of a row that its resource shows. */
export type ShownEnrollment = Pick<
  Enrollment,
  | ('id' | 'campaignId' | 'contactId' | 'versionId' | 'entry' | 'status' | 'source' | 'endReason' | 'step')
  | ('nextAttemptAt' | 'waitingFor' | 'createdAt' | 'updatedAt')
> &
  Pick<EnrollmentResource, 'externalId'>;

/** @param hold of its campaign. */
export function enrollmentResource(enrollment: ShownEnrollment, hold: Hold): EnrollmentResource {
  const { id, campaignId, contactId, versionId, entry, status, source, createdAt, updatedAt } = enrollment;
  const { endReason, step, nextAttemptAt, waitingFor, externalId } = enrollment;
  return {
    id,
    enrollmentId: id,
    campaignId,
    contactId,
    externalId,
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
