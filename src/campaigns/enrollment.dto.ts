import { type Enrollment, type EnrollmentStatus } from './enrollment.entity.js';

/** What the operator can narrow a campaign's enrollments to. */
export const ENROLLMENT_LIST_FILTERS = ['versionId', 'status'] as const;
export type EnrollmentListFilter = (typeof ENROLLMENT_LIST_FILTERS)[number];

/** An enrollment as the operator reads it. */
export interface EnrollmentResource {
  id: string;
  campaignId: string;
  contactId: string;
  versionId: string;
  status: EnrollmentStatus;
  source: string | null;
  createdAt: string;
  updatedAt: string;
}

export function enrollmentResource(enrollment: Enrollment): EnrollmentResource {
  const { id, campaignId, contactId, versionId, status, source, createdAt, updatedAt } = enrollment;
  return {
    id,
    campaignId,
    contactId,
    versionId,
    status,
    source,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
