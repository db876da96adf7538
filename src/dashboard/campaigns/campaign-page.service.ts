import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { CampaignVersionsService } from '../../campaigns/admin/campaign-versions.service.js';
import { CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { CampaignStatsService } from '../../campaigns/admin/campaign-stats.service.js';
import { CampaignResultsService } from '../../campaigns/results/campaign-results.service.js';
import { notFound } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { DUE_BY_HOUR, MOVING_VERSIONS, VERSIONS_SHOWN } from './campaign-page.sql.js';
import { campaignPage } from './campaign.view.js';
import { campaignsPage } from './campaigns.view.js';
import { type PageRequest, type RefusedPage } from '../frame/form.js';
import { listPage } from '../frame/list-page.js';
import { localHours } from '../design/local-time.js';
import { answerOf, PageFrame, readOrRefuse } from '../frame/page-frame.service.js';

const CAMPAIGNS_A_PAGE = 50;
const HOURS = 24;

/** The campaigns of a team, and one of them. */
@Injectable()
export class CampaignPageService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly frames: PageFrame,
    private readonly campaigns: CampaignsService,
    private readonly versions: CampaignVersionsService,
    private readonly stats: CampaignStatsService,
    private readonly campaignResults: CampaignResultsService,
    private readonly audit: AuditService,
  ) {}

  /** The list; empty if the address is refused. */
  async list(request: PageRequest): Promise<PageElement | RefusedPage> {
    const read = await this.frames.tolerant(request);
    const { team } = read;
    const [frame, campaigns] = await readOrRefuse(read, null, async () =>
      team === null
        ? null
        : this.campaigns.list(team.id, listPage(CAMPAIGNS_A_PAGE, request.parameter('cursor'))),
    );
    return answerOf(frame, campaignsPage(frame, campaigns));
  }

  /** @throws AppError `NOT_FOUND` for the team or the campaign. */
  async page(request: PageRequest, teamId: string, id: string): Promise<PageElement> {
    const frame = await this.frames.of(request, teamId);
    if (frame.team === null) throw notFound('Team');
    const campaign = await this.campaigns.get(teamId, id);
    const { starts, end } = localHours(frame.zone, frame.now, HOURS);
    const [stats, versions, due, moving] = await Promise.all([
      this.stats.of(teamId, id),
      this.versions.list(teamId, id, { limit: VERSIONS_SHOWN, after: null, filters: {} }),
      this.dataSource.query<{ calls: number }[]>(DUE_BY_HOUR, [id, starts, [...starts.slice(1), end]]),
      this.dataSource.query<{ id: string }[]>(MOVING_VERSIONS, [teamId, id]),
    ]);
    const hours = starts.map((start, index) => ({ start, calls: due[index]?.calls ?? 0 }));
    const shown = { campaign, stats, versions: versions.items, hours };
    return campaignPage(frame, { ...shown, moving: new Set(moving.map((version) => version.id)) });
  }

  /**
   * What has come of each enrollment, to be read page by page. The audit log has the read, as that of the API.
   *
   * @throws AppError `NOT_FOUND` for the team or the campaign.
   */
  async results(teamId: string, id: string): ReturnType<CampaignResultsService['of']> {
    const results = await this.campaignResults.of(teamId, id, { filters: {} });
    await this.audit.note({ teamId, action: 'campaign.results_exported', target: { type: 'campaign', id } });
    return results;
  }

  /** @throws AppError `NOT_FOUND` for the team or the campaign. */
  async setStatus(teamId: string, id: string, status: 'active' | 'paused' | 'archived'): Promise<void> {
    await this.campaigns.update(teamId, id, { status });
  }
}
