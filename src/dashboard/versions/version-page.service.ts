import { Injectable } from '@nestjs/common';
import { CampaignVersionsService } from '../../campaigns/admin/campaign-versions.service.js';
import { CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { CampaignStatsService } from '../../campaigns/admin/campaign-stats.service.js';
import { AppError, notFound } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { MAX_LIMIT } from '../../http/page.js';
import { VoiceAgentsService } from '../../voice-agents/voice-agents.service.js';
import { type PageRequest } from '../frame/form.js';
import { listPage } from '../frame/list-page.js';
import { type Frame, may, PageFrame } from '../frame/page-frame.service.js';
import { differencesOf } from './differences.js';
import { VersionEditorService } from './version-editor.service.js';
import { publicationPage, type ShownVersion, versionPage } from './version.view.js';

/** The page of a version, and the publication of a draft. */
@Injectable()
export class VersionPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly campaigns: CampaignsService,
    private readonly versions: CampaignVersionsService,
    private readonly stats: CampaignStatsService,
    private readonly agents: VoiceAgentsService,
    private readonly editor: VersionEditorService,
  ) {}

  /**
   * The version as it is stored; a draft is edited by those who may.
   *
   * @throws AppError `NOT_FOUND` for the team, the campaign or the version.
   */
  async page(request: PageRequest, teamId: string, campaignId: string, id: string): Promise<PageElement> {
    const frame = await this.frame(request);
    const version = await this.versions.get(teamId, campaignId, id);
    if (version.status === 'draft' && may(frame, 'campaigns.change'))
      return this.editor.page(request, teamId, version);
    return versionPage(frame, await this.beside(teamId, campaignId, id));
  }

  /**
   * What the publication of a draft changes, and its confirmation.
   *
   * @throws AppError `NOT_FOUND` for the team, the campaign or the version, or `CONFLICT` if it is not a draft.
   */
  async publication(
    request: PageRequest,
    teamId: string,
    campaignId: string,
    id: string,
  ): Promise<PageElement> {
    const frame = await this.frame(request);
    const shown = await this.beside(teamId, campaignId, id);
    const { version, current } = shown;
    if (version.status !== 'draft') throw new AppError('CONFLICT', 'Only a draft can be published');
    const [{ warnings }, { live, byVersion }] = await Promise.all([
      this.versions.check(teamId, version.definition),
      this.stats.of(teamId, campaignId),
    ]);
    const liveOf = (versionId: string) => byVersion.find((one) => one.versionId === versionId)?.live ?? 0;
    const [ofCurrent, ofDraft] = [liveOf(current.id), liveOf(version.id)];
    const counts = { current: ofCurrent, draft: ofDraft, older: live - ofCurrent - ofDraft };
    return publicationPage(frame, { ...shown, live: counts, warnings });
  }

  /** @throws AppError as `CampaignVersionsService.publish`. */
  async publish(teamId: string, campaignId: string, id: string): Promise<void> {
    await this.versions.publish(teamId, campaignId, id);
  }

  private async frame(request: PageRequest): Promise<Frame> {
    const frame = await this.frames.of(request);
    if (frame.team === null) throw notFound('Team');
    return frame;
  }

  /** The version beside the current one. */
  private async beside(teamId: string, campaignId: string, id: string): Promise<ShownVersion> {
    const campaign = await this.campaigns.get(teamId, campaignId);
    const [version, current, { items: agents }] = await Promise.all([
      this.versions.get(teamId, campaignId, id),
      this.versions.get(teamId, campaignId, campaign.currentVersionId),
      this.agents.list(teamId, listPage(MAX_LIMIT, null)),
    ]);
    const names = new Map(agents.map((agent) => [agent.id, agent.name]));
    const agentName = (agentId: string) => names.get(agentId) ?? agentId;
    const differences = differencesOf(current.definition, version.definition, agentName);
    return { campaign, version, current, differences };
  }
}
