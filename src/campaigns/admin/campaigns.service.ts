import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In, type QueryDeepPartialEntity, type Repository } from 'typeorm';
import { pageByCreation } from '../../lists/keyset.js';
import { changeRow, findRow, idsNamed } from '../../lists/rows.js';
import { changedPacing, initialPacing } from '../../domain/campaigns/definition/parse-settings.js';
import { type Page, type PageRequest } from '../../http/page.js';
import { isUuid } from '../../http/validators.js';
import { TeamsService } from '../../teams/teams.service.js';
import { CampaignVersion, DEFINITION_FORMAT } from '../definition/campaign-version.entity.js';
import {
  type CampaignResource,
  campaignResource,
  type ChangedCampaignResource,
  type CreateCampaign,
  type UpdateCampaign,
} from './campaign.dto.js';
import { Campaign, type CampaignStatus } from '../definition/campaign.entity.js';
import { Settlement } from '../engine/settlement.service.js';
import { keepClaimsOut } from '../definition/claims-lock.js';
import { activationWarnings } from '../definition/publication-warnings.js';

/** The most enrollments of each version of an archived campaign that one statement ends. */
const ENDED_AT_ONCE = 1_000;

/** Campaigns, and changes of their status and pacing. */
@Injectable()
export class CampaignsService {
  private readonly campaigns: Repository<Campaign>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly teams: TeamsService,
    private readonly settlement: Settlement,
  ) {
    this.campaigns = dataSource.getRepository(Campaign);
  }

  /** @throws AppError `NOT_FOUND` for the team. */
  async list(teamId: string, request: PageRequest): Promise<Page<CampaignResource>> {
    await this.teams.find(teamId);
    const query = this.campaigns.createQueryBuilder('c').where({ teamId });
    const page = await pageByCreation(query, request, (campaign) => campaign);
    return { ...page, items: await this.resources(page.items) };
  }

  /** @returns ids of the team's campaigns with this name, as {@link idsNamed}. */
  async idsNamed(teamId: string, name: string): Promise<string[]> {
    return idsNamed(this.campaigns.createQueryBuilder('r').where({ teamId }), name);
  }

  /**
   * The row of the campaign, for services of its versions and enrollments.
   *
   * @throws AppError `NOT_FOUND` for the team or the campaign.
   */
  async find(teamId: string, id: string): Promise<Campaign> {
    await this.teams.find(teamId);
    return findRow(this.campaigns, { id, teamId }, 'Campaign');
  }

  /** @throws AppError `NOT_FOUND` for the team or the campaign. */
  async get(teamId: string, id: string): Promise<CampaignResource> {
    return this.resource(await this.find(teamId, id));
  }

  /**
   * A new campaign with an empty version that is current, and no draft. `warnings` say why an active campaign
   * places no calls.
   *
   * @throws AppError `NOT_FOUND` for the team.
   */
  async create(
    teamId: string,
    { name, status = 'draft', pacing, reentry = null, purpose = null }: CreateCampaign,
  ): Promise<ChangedCampaignResource> {
    await this.teams.find(teamId);
    const [id, currentVersionId] = [randomUUID(), randomUUID()];
    await this.dataSource.transaction(async (manager) => {
      const settings = {
        pacing: initialPacing(pacing),
        reentry,
        purpose,
      } as QueryDeepPartialEntity<Campaign>;
      await manager.insert(Campaign, { id, teamId, name, status, currentVersionId, ...settings });
      await manager.insert(CampaignVersion, {
        id: currentVersionId,
        teamId,
        campaignId: id,
        number: 1,
        status: 'published',
        definitionFormat: DEFINITION_FORMAT,
        publishedAt: () => 'now()',
      });
    });
    return this.changed(await this.get(teamId, id), status);
  }

  /**
   * A change of status or pacing applies at once: when this returns, no further call is claimed under the
   * earlier values. A `pacing` changes the fields that it contains. The worker then ends the enrollments of an archived campaign in batches. If an archived
   * campaign is given another status, its remaining live enrollments end first.
   *
   * @throws AppError `NOT_FOUND` for the team or the campaign.
   */
  async update(
    teamId: string,
    id: string,
    { name, status, pacing, reentry, purpose }: Partial<UpdateCampaign>,
  ): Promise<ChangedCampaignResource> {
    await this.teams.find(teamId);
    if (status !== undefined && status !== 'archived') {
      const before = await findRow(this.campaigns, { id, teamId }, 'Campaign');
      if (before.status === 'archived') await this.settlement.settleFirst(teamId, 'campaigns', [id]);
    }
    const campaign = await this.dataSource.transaction(async (manager) => {
      if (isUuid(id)) await keepClaimsOut(manager, id);
      const rows = manager.getRepository(Campaign);
      if (status !== undefined && status !== 'archived') {
        const before = await findRow(rows, { id, teamId }, 'Campaign');
        if (before.status === 'archived') await endLiveEnrollments(manager, id);
      }
      const fields = { name, status, pacing, reentry, purpose };
      if (pacing !== undefined) {
        // The lock of claims above also keeps other changes out, so none is lost.
        const before = await findRow(rows, { id, teamId }, 'Campaign');
        fields.pacing = changedPacing(before.pacing, pacing);
      }
      return changeRow(rows, { id, teamId }, fields as QueryDeepPartialEntity<Campaign>, 'Campaign');
    });
    return this.changed(await this.resource(campaign), status);
  }

  /**
   * When this returns, no further call is claimed for the campaign. The worker then ends its live
   * enrollments.
   *
   * @throws AppError `NOT_FOUND` for the team or the campaign.
   */
  archive(teamId: string, id: string): Promise<CampaignResource> {
    return this.update(teamId, id, { status: 'archived' });
  }

  /** The answer to a request that sent `status`; undefined: none was sent. */
  private async changed(
    campaign: CampaignResource,
    status: CampaignStatus | undefined,
  ): Promise<ChangedCampaignResource> {
    if (status !== 'active') return campaign;
    const { currentVersionId, draftVersionId } = campaign;
    const versions = await this.dataSource
      .getRepository(CampaignVersion)
      .findBy({ id: In([currentVersionId, draftVersionId].filter((id) => id !== null)) });
    const current = versions.find(({ id }) => id === currentVersionId);
    const draft = versions.find(({ id }) => id === draftVersionId) ?? null;
    return { ...campaign, warnings: current === undefined ? [] : activationWarnings(current, draft) };
  }

  private async resource(campaign: Campaign): Promise<CampaignResource> {
    const [resource] = await this.resources([campaign]);
    return resource as CampaignResource;
  }

  private async resources(campaigns: Campaign[]): Promise<CampaignResource[]> {
    const drafts = await this.dataSource.getRepository(CampaignVersion).find({
      select: { id: true, campaignId: true },
      where: { campaignId: In(campaigns.map((campaign) => campaign.id)), status: 'draft' },
    });
    const draftOf = new Map(drafts.map((draft) => [draft.campaignId, draft.id]));
    return campaigns.map((campaign) => campaignResource(campaign, draftOf.get(campaign.id) ?? null));
  }
}

/**
 * Ends the live enrollments that an archived campaign still has. Waits for rows that other transactions have
 * locked.
 */
async function endLiveEnrollments(manager: EntityManager, campaignId: string): Promise<void> {
  await manager.query(
    `SELECT FROM enrollments WHERE campaign_id = $1 AND status IN ('active', 'paused') FOR UPDATE`,
    [campaignId],
  );
  // What has happened meanwhile is not awaited.
  await manager.query(
    `UPDATE enrollments SET settle_at = NULL WHERE campaign_id = $1 AND status IN ('active', 'paused') AND settle_at <= outdial_now()`,
    [campaignId],
  );
  for (let ended = 1; ended > 0;) {
    const rows = await manager.query<{ ended: number }[]>('SELECT end_archived_enrollments($1) AS ended', [
      ENDED_AT_ONCE,
    ]);
    ended = rows[0]?.ended ?? 0;
  }
}
