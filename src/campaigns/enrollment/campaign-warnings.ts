import { type Warning } from '../../domain/near-misses.js';
import { type CampaignStatus } from '../definition/campaign.entity.js';

const about = (text: string): Warning => ({ key: 'campaignId', text });

const NO_STEPS = about(
  'The version of the campaign has no steps, so the enrolled contacts are not called. Publish a version with steps, and move the ' +
    'enrollments to it.',
);

/** Whether the contact of a request was enrolled, and if not, why. */
export interface EnrollmentOutcome {
  enrollment_id: string | null;
  /** Null: the team has no such campaign. */
  campaign_status: CampaignStatus | null;
  /** Whether the contact, which was in the campaign before, is perhaps enrolled again. */
  may_enter_again: boolean;
}

/** Why a contact is not enrolled in the campaign of its request. */
export function enrollmentWarnings(row: EnrollmentOutcome): Warning[] {
  if (row.enrollment_id !== null) return [];
  const { campaign_status: status } = row;
  if (status === null) return [about('The team has no such campaign, so the contact was not enrolled.')];
  if (status !== 'active')
    return [about(`The campaign is ${SHOWN[status]}, so the contact was not enrolled.`)];
  return [about(row.may_enter_again ? PERHAPS_AGAIN : ENROLLED_BEFORE)];
}

const SHOWN = { draft: 'a draft', paused: 'paused', archived: 'archived' } as const;
const ENROLLED_BEFORE = 'The contact is already enrolled in this campaign, so it was not enrolled again.';
const PERHAPS_AGAIN =
  'The contact was enrolled in this campaign before. List its enrollments to see whether it was enrolled again.';

/** The warning if the enrollment failed for another reason, which is logged. */
export const NOT_ENROLLED: readonly Warning[] = [
  about('The contact could not be enrolled. Enroll it with POST /api/campaigns/enrollments.'),
];

/** Why contacts that an import enrolls in a campaign are not called now. */
export function notCalledWarnings(campaign: {
  status: CampaignStatus;
  /** Whether the version on which the contacts are enrolled places calls. */
  hasSteps: boolean;
}): Warning[] {
  const { status, hasSteps } = campaign;
  const waits = status === 'draft' || status === 'paused';
  return [
    ...(hasSteps ? [] : [NO_STEPS]),
    ...(waits
      ? [about(`The campaign is ${SHOWN[status]}. The enrolled contacts are called when it is active.`)]
      : []),
  ];
}
