import { MayBeAbsent } from '../../http/operator-validators.js';
import { IsJsonObject } from '../../http/validators.js';
import { type CampaignVersion, type CampaignVersionStatus } from '../definition/campaign-version.entity.js';
import { DEFINITION_SCHEMA } from '../definition/definition.schema.js';
import { type PublicationWarning } from '../definition/publication-warnings.js';

/** Body of a new draft. */
export class CreateCampaignVersion {
  @IsJsonObject(DEFINITION_SCHEMA)
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
  /** Enrollments on this version, in any state. */
  enrolled: number;
  createdAt: string;
  publishedAt: string | null;
}

/** The answer to a publication. */
export interface PublishedCampaignVersionResource extends CampaignVersionResource {
  warnings: PublicationWarning[];
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
