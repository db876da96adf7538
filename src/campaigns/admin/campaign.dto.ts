import { IsOptional } from 'class-validator';
import {
  type CampaignPacing,
  parsePacing,
  parseReentry,
} from '../../domain/campaigns/definition/parse-settings.js';
import { type Purpose, PURPOSES } from '../../domain/compliance/pack.js';
import { IsName, IsOneOf, IsParsedBy, MayBeAbsent } from '../../http/operator-validators.js';
import { type PublicationWarning } from '../definition/publication-warnings.js';
import { type Campaign, CAMPAIGN_STATUSES, type CampaignStatus } from '../definition/campaign.entity.js';
import { PACING_SCHEMA, REENTRY_SCHEMA } from '../definition/settings.schema.js';

/**
 * Body of a new campaign, which may begin in any status; without one, it is a draft. `pacing` of null is no
 * limit, and `reentry` of null is one entry.
 */
export class CreateCampaign {
  @IsName()
  name: string;

  @MayBeAbsent()
  @IsOneOf(CAMPAIGN_STATUSES)
  status?: CampaignStatus;

  @IsOptional()
  @IsParsedBy(parsePacing, PACING_SCHEMA)
  pacing?: Record<string, unknown> | null;

  @IsOptional()
  @IsParsedBy(parseReentry, REENTRY_SCHEMA)
  reentry?: Record<string, unknown> | null;

  @IsOptional()
  @IsOneOf(PURPOSES)
  purpose?: Purpose | null;
}

/** Body of a change: what is absent stays, also within `pacing`. `reentry` is replaced as a whole. */
export class UpdateCampaign extends CreateCampaign {
  @MayBeAbsent()
  declare name: string;
}

/** Whether and when an ended enrollment may be followed by another one of the contact. */
export interface CampaignReentryResource {
  /** Null: no limit. */
  maxEntries: number | null;
  /** The least time from the end of one enrollment to the next, an ISO 8601 duration; null: none. */
  minInterval: string | null;
}

/** A campaign as the operator reads it. */
export interface CampaignResource {
  id: string;
  name: string;
  status: CampaignStatus;
  currentVersionId: string;
  draftVersionId: string | null;
  pacing: CampaignPacing;
  reentry: CampaignReentryResource;
  /** Null: what the agent or else the team's compliance says. */
  purpose: Purpose | null;
  createdAt: string;
}

/** The answer to a creation or a change. */
export interface ChangedCampaignResource extends CampaignResource {
  /**
   * Why the campaign places no calls for new enrollments. Absent unless the request sent the status `active`.
   */
  warnings?: PublicationWarning[];
}

export function campaignResource(campaign: Campaign, draftVersionId: string | null): CampaignResource {
  const { id, name, status, currentVersionId, createdAt } = campaign;
  return {
    id,
    name,
    status,
    currentVersionId,
    draftVersionId,
    pacing: pacingOf(campaign),
    reentry: reentryOf(campaign),
    purpose: campaign.purpose,
    createdAt: createdAt.toISOString(),
  };
}

/** What is stored was validated when it was written. */
function pacingOf({ pacing }: Campaign): CampaignPacing {
  const parsed = parsePacing(pacing);
  if (!parsed.ok) throw new Error(`The stored pacing of a campaign is not valid: ${parsed.message}`);
  return parsed.value;
}

function reentryOf({ reentry }: Campaign): CampaignReentryResource {
  const parsed = parseReentry(reentry);
  if (!parsed.ok) throw new Error(`The stored reentry of a campaign is not valid: ${parsed.message}`);
  return { ...parsed.value, minInterval: (reentry?.minInterval ?? null) as string | null };
}
