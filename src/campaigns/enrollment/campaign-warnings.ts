import { type CampaignStatus } from '../definition/campaign.entity.js';

/** A part of a request that is accepted and probably unintended. `key` is the key at fault. */
export interface CampaignWarning {
  key: 'campaignId';
  text: string;
}

/** Why contacts that are enrolled in a campaign are not called, as warnings about the `campaignId` that names it. */
export function notCalledWarnings(campaign: {
  status: CampaignStatus;
  /** Whether the version on which the contacts are enrolled places calls. */
  hasSteps: boolean;
}): CampaignWarning[] {
  const texts: string[] = [];
  if (!campaign.hasSteps) texts.push(NO_STEPS);
  const wait = WAITS[campaign.status];
  if (wait !== undefined) texts.push(wait);
  return texts.map((text) => ({ key: 'campaignId', text }));
}

export const NO_STEPS =
  'The version of the campaign has no steps, so the enrolled contacts are not called. Publish a version with steps, and move the enrollments to it.';

const WAITS: Partial<Record<CampaignStatus, string>> = {
  draft: 'The campaign is a draft. The enrolled contacts are called when it is active.',
  paused: 'The campaign is paused. The enrolled contacts are called when it is active.',
};
