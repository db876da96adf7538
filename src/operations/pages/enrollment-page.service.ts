import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CampaignVersionsService } from '../../campaigns/definition/campaign-versions.service.js';
import { CampaignsService } from '../../campaigns/definition/campaigns.service.js';
import { EnrollmentsService } from '../../campaigns/records/enrollments.service.js';
import { notFound } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { parsePageRequest } from '../../http/page.js';
import { VERSIONS_SHOWN } from './campaign-page.sql.js';
import { NAMED_CONTACTS, type NamedContact } from './enrollment-page.sql.js';
import { enrollmentPage } from './enrollment.view.js';
import { enrollmentsPage, LIST_FILTERS } from './enrollments.view.js';
import { type PageRequest } from './form.js';
import { PageFrame } from './page-frame.service.js';

const ENROLLMENTS_A_PAGE = 50;

/** The enrollments of a campaign, and one of them. */
@Injectable()
export class EnrollmentPageService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly frames: PageFrame,
    private readonly campaigns: CampaignsService,
    private readonly versions: CampaignVersionsService,
    private readonly enrollments: EnrollmentsService,
  ) {}

  /**
   * @throws AppError `NOT_FOUND` for the team or the campaign, or `INVALID_REQUEST` for a filter or the
   *   cursor.
   */
  async list(request: PageRequest, teamId: string, campaignId: string): Promise<PageElement> {
    const { frame, campaign, versions } = await this.around(request, teamId, campaignId);
    const sent = ['cursor', ...LIST_FILTERS].flatMap((name) => {
      const value = request.parameter(name);
      return value === null ? [] : [[name, value] as const];
    });
    const query = { limit: String(ENROLLMENTS_A_PAGE), ...Object.fromEntries(sent) };
    const asked = parsePageRequest(query, LIST_FILTERS);
    const page = await this.enrollments.list(teamId, campaignId, asked);
    const ids = page.items.map(({ contactId }) => contactId);
    const contacts = await this.dataSource.query<NamedContact[]>(NAMED_CONTACTS, [teamId, ids]);
    return enrollmentsPage(frame, {
      campaign,
      versions,
      page,
      filters: asked.filters,
      contacts: new Map(contacts.map((contact) => [contact.id, contact])),
    });
  }

  /** @throws AppError `NOT_FOUND` for the team, the campaign or the enrollment. */
  async page(request: PageRequest, teamId: string, campaignId: string, id: string): Promise<PageElement> {
    const { frame, campaign, versions } = await this.around(request, teamId, campaignId);
    const enrollment = await this.enrollments.get(teamId, campaignId, id);
    const contacts = [enrollment.contactId];
    const [contact] = await this.dataSource.query<NamedContact[]>(NAMED_CONTACTS, [teamId, contacts]);
    return enrollmentPage(frame, { campaign, versions, enrollment, contact });
  }

  /** @throws AppError as `EnrollmentsService.setStatus`. */
  async move(
    teamId: string,
    campaignId: string,
    id: string,
    to: 'paused' | 'active' | 'exited',
  ): Promise<void> {
    await this.enrollments.setStatus(teamId, campaignId, id, to);
  }

  private async around(request: PageRequest, teamId: string, campaignId: string) {
    const frame = await this.frames.of(request, teamId);
    if (frame.team === null) throw notFound('Team');
    const campaign = await this.campaigns.get(teamId, campaignId);
    const first = { limit: VERSIONS_SHOWN, after: null, filters: {} };
    const { items: versions } = await this.versions.list(teamId, campaignId, first);
    return { frame, campaign, versions };
  }
}
