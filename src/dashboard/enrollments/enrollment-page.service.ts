import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CampaignVersionsService } from '../../campaigns/admin/campaign-versions.service.js';
import { CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { EnrollmentsService } from '../../campaigns/records/enrollments.service.js';
import { notFound } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { VERSIONS_SHOWN } from '../campaigns/campaign-page.sql.js';
import { NAMED_CONTACTS, type NamedContact } from './enrollment-page.sql.js';
import { enrollmentPage } from './enrollment.view.js';
import { enrollmentsPage, LIST_FILTERS } from './enrollments.view.js';
import { type PageRequest, type RefusedPage } from '../frame/form.js';
import { listPage } from '../frame/list-page.js';
import { answerOf, PageFrame, readOrRefuse } from '../frame/page-frame.service.js';

const ENROLLMENTS_A_PAGE = 50;
const NO_ENROLLMENTS = { items: [], nextCursor: null };

type PageOfEnrollments = Parameters<EnrollmentsService['list']>[2];

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

  /** The list; empty if a filter or the cursor is refused. @throws AppError `NOT_FOUND` for the campaign. */
  async list(request: PageRequest, teamId: string, campaignId: string): Promise<PageElement | RefusedPage> {
    const { frame: read, campaign, versions } = await this.around(request, teamId, campaignId);
    const filters = Object.fromEntries(
      LIST_FILTERS.flatMap((name) => {
        const value = name === 'phoneNumber' ? request.phoneNumber : request.parameter(name);
        return value === null ? [] : [[name, value] as const];
      }),
    );
    const [frame, page] = await readOrRefuse(read, NO_ENROLLMENTS, () =>
      this.enrollments.list(
        teamId,
        campaignId,
        listPage(ENROLLMENTS_A_PAGE, request.parameter('cursor'), filters) as PageOfEnrollments,
      ),
    );
    const ids = page.items.map(({ contactId }) => contactId);
    const contacts = await this.dataSource.query<NamedContact[]>(NAMED_CONTACTS, [teamId, ids]);
    const named = new Map(contacts.map((contact) => [contact.id, contact]));
    return answerOf(frame, enrollmentsPage(frame, { campaign, versions, page, filters, contacts: named }));
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
