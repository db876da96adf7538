import { Injectable } from '@nestjs/common';
import { pageOfPositioned, positionOf, type PositionedRow } from '../../lists/newest-first.js';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { permitted } from '../../database/permitted.js';
import { team } from '../../database/team-scope.js';
import { statusOfEnrollment } from './audited-enrollment.js';
import { auditing } from '../../audit/audited-change.js';
import { query, Transactions } from '../../database/transactions.js';
import { enrollmentStatesBefore } from '../../domain/enrollment-states.js';
import { AppError, notFound } from '../../http/app-error.js';
import { type Page, type PageRequest } from '../../http/page.js';
import { isUuid } from '../../http/validators.js';
import { type CampaignResource, campaignResource } from '../admin/campaign.dto.js';
import { type Campaign } from '../definition/campaign.entity.js';
import { Settlement } from '../engine/settlement.service.js';
import { WhyNotService } from '../engine/why-not.service.js';
import {
  type EnrollmentDetail,
  enrollmentDetail,
  type EnrollmentFigures,
  NO_FIGURES,
} from './enrollment.dto.js';
import { type Enrollment, type EnrollmentStatus } from '../enrollment/enrollment.entity.js';
import { type Hold, HOLD_OF_CAMPAIGN } from '../definition/hold.js';
import { campaignStats, type CampaignStatsResource } from '../admin/campaign-stats.dto.js';
import { type StatsRow } from '../admin/campaign-stats.sql.js';
import { TIMELINE_OF_STATUS } from './enrollment-status.sql.js';
import {
  CAMPAIGN_OF_TEAM,
  CAMPAIGNS_OF_TEAM,
  ENROLLMENT_OF_TEAM,
  FIGURES_OF_TEAM,
  SET_STATUS_OF_TEAM,
  STATS_OF_TEAM,
  VERSION_NUMBERS,
} from './team-campaigns.sql.js';

/** A campaign as its team sees it. */
export interface CampaignView extends CampaignResource {
  /** The same as `id`. */
  campaignId: string;
}

/** One campaign with the counts of its enrollments. */
export interface CampaignDetail extends CampaignView {
  stats: CampaignStatsResource;
}

export type CampaignRow = Campaign & { draftVersionId: string | null };
type ReadCampaign = CampaignRow & Record<string, unknown>;

/** Campaigns and enrollments, for requests with a team's API key. Those of other teams are not found. */
@Injectable()
export class TeamCampaignsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly whyNot: WhyNotService,
    private readonly settlement: Settlement,
  ) {}

  /** The newest first. @throws AppError `INVALID_REQUEST` for a malformed cursor. */
  async list(teamId: string, request: PageRequest): Promise<Page<CampaignView>> {
    const { at, key } = positionOf(request);
    const page = query(CAMPAIGNS_OF_TEAM, teamId, at, key, request.limit + 1);
    return pageOfPositioned(
      request,
      await this.own(teamId).read<ReadCampaign & PositionedRow>(page),
      campaignViewOf,
    );
  }

  /** @throws AppError `NOT_FOUND`. */
  async get(teamId: string, id: string): Promise<CampaignDetail> {
    if (!isUuid(id)) throw notFound('Campaign');
    const own = this.own(teamId);
    const [row] = await own.read<ReadCampaign>(query(CAMPAIGN_OF_TEAM, teamId, id));
    if (row === undefined) throw notFound('Campaign');
    const counts = await own.read<StatsRow & Record<string, unknown>>(query(STATS_OF_TEAM, teamId, id));
    const [held] = await own.read<{ hold: Hold }>(query(HOLD_OF_CAMPAIGN, teamId, id));
    const versions = await own.read<{ id: string; number: number }>(query(VERSION_NUMBERS, teamId, id));
    const numbers = new Map(versions.map((version) => [version.id, version.number]));
    return { ...campaignViewOf(row), stats: campaignStats(counts, numbers, held?.hold ?? null) };
  }

  /** @throws AppError `NOT_FOUND`. */
  async enrollment(teamId: string, id: string): Promise<EnrollmentDetail> {
    const row = await this.enrollmentRow(teamId, id);
    const figuresOf = query(FIGURES_OF_TEAM, row.id);
    const [figures] = await this.own(teamId).read<EnrollmentFigures & Record<string, unknown>>(figuresOf);
    return enrollmentDetail(row, figures ?? NO_FIGURES, await this.whyNot.of(teamId, row.id));
  }

  /** @throws AppError `NOT_FOUND`, or `CONFLICT` naming the present status of the enrollment. */
  async setStatus(teamId: string, id: string, to: EnrollmentStatus): Promise<EnrollmentDetail> {
    if (to === 'exited' && isUuid(id)) await this.settlement.settleFirst(teamId, 'ids', [id]);
    const { campaignId, status } = await this.enrollmentRow(teamId, id);
    const change = query(
      SET_STATUS_OF_TEAM,
      id,
      teamId,
      campaignId,
      to,
      enrollmentStatesBefore(to),
      to === 'exited' ? 'manual' : null,
      JSON.stringify(TIMELINE_OF_STATUS[to] ?? {}),
    );
    const audited = auditing(statusOfEnrollment({ teamId, campaignId, id }, to));
    const changed = await this.own(teamId).run<boolean>([change], ([rows]) =>
      rows?.rows.length ? { commit: [audited], value: () => true } : { rollback: false },
    );
    if (changed) return this.enrollment(teamId, id);
    throw new AppError('CONFLICT', `The enrollment is ${status} and cannot become ${to}`);
  }

  private async enrollmentRow(teamId: string, id: string): Promise<Enrollment> {
    if (!isUuid(id)) throw notFound('Enrollment');
    const found = query(ENROLLMENT_OF_TEAM, teamId, id);
    const [row] = await this.own(teamId).read<Enrollment & Record<string, unknown>>(found);
    if (row === undefined) throw notFound('Enrollment');
    return row;
  }

  private own(teamId: string) {
    return permitted(this.semaphore, teamId, this.transactions.within(team(teamId)));
  }
}

export function campaignViewOf(row: CampaignRow): CampaignView {
  return { ...campaignResource(row, row.draftVersionId), campaignId: row.id };
}
