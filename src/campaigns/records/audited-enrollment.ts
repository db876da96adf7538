import { type AuditedChange } from '../../audit/audited-change.js';
import { type EnrollmentStatus } from '../enrollment/enrollment.entity.js';

/** The row of the audit log about a new status of an enrollment. */
export function statusOfEnrollment(
  { teamId, campaignId, id }: { teamId: string; campaignId: string; id: string },
  status: EnrollmentStatus,
): AuditedChange {
  const action = `enrollment.${status === 'active' ? 'resumed' : status}`;
  return { teamId, action, target: { type: 'enrollment', id }, after: { campaign_id: campaignId } };
}
