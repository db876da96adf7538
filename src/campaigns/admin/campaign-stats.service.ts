import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { CampaignVersion } from '../definition/campaign-version.entity.js';
import { CampaignsService } from './campaigns.service.js';
import { campaignStats, type CampaignStatsResource } from './campaign-stats.dto.js';
import { type Hold, HOLD_OF_CAMPAIGN } from '../definition/hold.js';
import { CAMPAIGN_STATS, type StatsRow } from './campaign-stats.sql.js';

/** Reads the counts of campaigns. */
@Injectable()
export class CampaignStatsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly campaigns: CampaignsService,
  ) {}

  /**
   * Each change of an enrollment updates the counts, so the cost of a read does not depend on the number of
   * enrollments.
   *
   * @throws AppError `NOT_FOUND` for the team or the campaign.
   */
  async of(teamId: string, campaignId: string): Promise<CampaignStatsResource> {
    await this.campaigns.find(teamId, campaignId);
    const rows = await this.dataSource.query<StatsRow[]>(CAMPAIGN_STATS, [teamId, campaignId]);
    const versions = await this.dataSource.getRepository(CampaignVersion).find({
      select: { id: true, number: true },
      where: { id: In([...new Set(rows.map(({ version_id }) => version_id))]) },
    });
    const [held] = await this.dataSource.query<{ hold: Hold }[]>(HOLD_OF_CAMPAIGN.text, [teamId, campaignId]);
    return campaignStats(rows, new Map(versions.map(({ id, number }) => [id, number])), held?.hold ?? null);
  }
}
