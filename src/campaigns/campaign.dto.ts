import { IsName, IsOneOf, MayBeAbsent } from '../http/operator-validators.js';
import { type Campaign, CAMPAIGN_STATUSES, type CampaignStatus } from './campaign.entity.js';

/** Body of a new campaign, which may begin in any status. */
export class CreateCampaign {
  @IsName()
  name: string;

  @IsOneOf(CAMPAIGN_STATUSES)
  status: CampaignStatus;
}

/** Body of a change: what is absent stays. */
export class UpdateCampaign extends CreateCampaign {
  @MayBeAbsent()
  declare name: string;

  @MayBeAbsent()
  declare status: CampaignStatus;
}

/** A campaign as the operator reads it. */
export interface CampaignResource {
  id: string;
  name: string;
  status: CampaignStatus;
  currentVersionId: string;
  draftVersionId: string | null;
  createdAt: string;
}

export function campaignResource(campaign: Campaign, draftVersionId: string | null): CampaignResource {
  const { id, name, status, currentVersionId, createdAt } = campaign;
  return { id, name, status, currentVersionId, draftVersionId, createdAt: createdAt.toISOString() };
}
