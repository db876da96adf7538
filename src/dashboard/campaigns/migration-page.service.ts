import { Injectable } from '@nestjs/common';
import { CampaignVersionsService } from '../../campaigns/admin/campaign-versions.service.js';
import { CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { CampaignStatsService } from '../../campaigns/admin/campaign-stats.service.js';
import { VersionMigrationsService } from '../../campaigns/admin/version-migrations.service.js';
import { notFound } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { VERSIONS_SHOWN } from './campaign-page.sql.js';
import { type PageRequest } from '../frame/form.js';
import { migrationPage } from './migration.view.js';
import { PageFrame } from '../frame/page-frame.service.js';

/** Moves the live enrollments of one version to another, after the page has shown what that changes. */
@Injectable()
export class MigrationPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly campaigns: CampaignsService,
    private readonly versions: CampaignVersionsService,
    private readonly stats: CampaignStatsService,
    private readonly migrations: VersionMigrationsService,
  ) {}

  /**
   * The form that chooses the two versions. Once both are chosen, the page also shows what would change, and
   * the form that moves the enrollments.
   *
   * @throws AppError `NOT_FOUND` for the team, the campaign or a version, or `INVALID_REQUEST` if both are
   *   the same version.
   */
  async page(request: PageRequest, teamId: string, id: string): Promise<PageElement> {
    const frame = await this.frames.of(request, teamId);
    if (frame.team === null) throw notFound('Team');
    const campaign = await this.campaigns.get(teamId, id);
    const [from, to] = [request.parameter('from'), request.parameter('to')];
    const [{ items: versions }, { byVersion }] = await Promise.all([
      this.versions.list(teamId, id, { limit: VERSIONS_SHOWN, after: null, filters: {} }),
      this.stats.of(teamId, id),
    ]);
    const plan =
      from === null || to === null
        ? null
        : await this.migrations.plan({ teamId, campaignId: id, fromVersionId: from, toVersionId: to });
    const live = new Map(byVersion.map((version) => [version.versionId, version.live]));
    return migrationPage(frame, { campaign, versions, live, from, to, plan });
  }

  /** @throws AppError as `VersionMigrationsService.migrate`. */
  async migrate(teamId: string, id: string, from: string, to: string): Promise<void> {
    await this.migrations.migrate({ teamId, campaignId: id, fromVersionId: from, toVersionId: to });
  }
}
