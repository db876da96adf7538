import { MayBeAbsent } from '../http/operator-validators.js';
import { IsJsonObject } from '../http/validators.js';
import { type CampaignVersion, type CampaignVersionStatus } from './campaign-version.entity.js';

/** Body of a new draft. */
export class CreateCampaignVersion {
  @IsJsonObject()
  definition: Record<string, unknown>;
}

/** Body of a change to a draft: what is absent stays; `definition` is replaced as a whole. */
export class UpdateCampaignVersion extends CreateCampaignVersion {
  @MayBeAbsent()
  declare definition: Record<string, unknown>;
}

/** A version as the operator reads it. */
export interface CampaignVersionResource {
  id: string;
  campaignId: string;
  number: number;
  status: CampaignVersionStatus;
  definition: Record<string, unknown>;
  /** Enrollments that are pinned to it, in any state. */
  enrolled: number;
  createdAt: string;
  publishedAt: string | null;
}

export function campaignVersionResource(version: CampaignVersion, enrolled: number): CampaignVersionResource {
  const { id, campaignId, number, status, definition, createdAt, publishedAt } = version;
  return {
    id,
    campaignId,
    number,
    status,
    definition,
    enrolled,
    createdAt: createdAt.toISOString(),
    publishedAt: publishedAt?.toISOString() ?? null,
  };
}
