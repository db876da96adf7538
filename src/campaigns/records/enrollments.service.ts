import { Injectable } from '@nestjs/common';
import { DataSource, type Repository } from 'typeorm';
import { statusOfEnrollment } from './audited-enrollment.js';
import { AuditService } from '../../audit/audit.service.js';
import { findRow } from '../../lists/rows.js';
import { ENROLLMENT_STATES, enrollmentStatesBefore } from '../../domain/enrollment-states.js';
import { AppError, invalid, notFound } from '../../http/app-error.js';
import { FilterReader, type FilterValues } from '../../http/filters.js';
import { type Page, pageOf, type PageRequest } from '../../http/page.js';
import { isUuid } from '../../http/validators.js';
import { readSoughtNumber } from '../../phone-numbers/team-number.js';
import { TeamsService } from '../../teams/teams.service.js';
import { CampaignVersion } from '../definition/campaign-version.entity.js';
import { type Campaign } from '../definition/campaign.entity.js';
import { CampaignsService } from '../admin/campaigns.service.js';
import {
  ENROLLMENT_FILTERS,
  ENROLLMENT_LIST_FILTERS,
  type EnrollmentDetail,
  enrollmentDetail,
  type EnrollmentFigures,
  type EnrollmentFilter,
  type EnrollmentListFilter,
  type EnrollmentPage,
  type EnrollmentResource,
  enrollmentResource,
  NO_FIGURES,
  type ShownEnrollment,
} from './enrollment.dto.js';
import { type Hold, HOLD_OF_CAMPAIGN, shownWaitingFor, WAITS_BEHIND_HOLDS } from '../definition/hold.js';
import { Settlement } from '../engine/settlement.service.js';
import { WhyNotService } from '../engine/why-not.service.js';
import { Enrollment, type EnrollmentStatus } from '../enrollment/enrollment.entity.js';
import { cursorOf, type EnrollmentCursor, cursorParameters } from '../enrollment/enrollment-order.js';
import { FIGURES_OF_ENROLLMENT } from '../admin/campaign-stats.sql.js';
import {
  ENROLLMENTS_OF_CONTACT,
  ENROLLMENTS_OF_NUMBER,
  enrollmentsByStatus,
  enrollmentsHeld,
  enrollmentsThatWait,
} from './enrollment-list.sql.js';
import { SET_ENROLLMENT_STATUS, TIMELINE_OF_STATUS } from './enrollment-status.sql.js';

const LIVE_STATES: readonly EnrollmentStatus[] = ['active', 'paused'];
const NO_VERSION = '00000000-0000-0000-0000-000000000000';

type ListedEnrollment = ShownEnrollment & EnrollmentCursor;

/** Lists and reads enrollments, and sets their status. */
@Injectable()
export class EnrollmentsService {
  private readonly enrollments: Repository<Enrollment>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly campaigns: CampaignsService,
    private readonly teams: TeamsService,
    private readonly whyNot: WhyNotService,
    private readonly settlement: Settlement,
    private readonly audit: AuditService,
  ) {
    this.enrollments = dataSource.getRepository(Enrollment);
  }

  /**
   * The enrollments of a campaign, the newest first.
   * @throws AppError `NOT_FOUND` for the team or the campaign, or `INVALID_REQUEST` naming a malformed
   *   filter.
   */
  async list(
    teamId: string,
    campaignId: string,
    request: PageRequest<EnrollmentListFilter>,
  ): Promise<Page<EnrollmentResource>> {
    const read = new FilterReader(ENROLLMENT_LIST_FILTERS, request);
    read.done();
    const { versionId, version, status, waitingFor, phoneNumber } = read.values;
    const number = phoneNumber === null ? null : await this.numberOf(teamId, phoneNumber);
    const after = cursorParameters(request.after);
    const campaign = await this.campaigns.find(teamId, campaignId);
    const named = version === null ? versionId : await this.versionNamed(campaign, version);
    // Two different versions have no enrollment in common.
    const none = versionId !== null && versionId !== named;
    const states = none ? [] : status === null ? ENROLLMENT_STATES : [status];
    const [held] = await this.dataSource.query<{ hold: Hold }[]>(HOLD_OF_CAMPAIGN.text, [teamId, campaignId]);
    const hold = held?.hold ?? null;
    const listedStates = waitingFor === null ? states : states.filter((one) => LIVE_STATES.includes(one));
    const page = [teamId, campaignId, ...after, request.limit + 1, listedStates];
    if (number !== null) {
      const narrowed = [...page, number, named];
      const found = await this.dataSource.query<ListedEnrollment[]>(ENROLLMENTS_OF_NUMBER, narrowed);
      const shown = found.filter(
        (row) => waitingFor === null || enrollmentResource(row, hold).waitingFor === waitingFor,
      );
      return pageOf(shown, request, cursorOf, (row) => enrollmentResource(row, hold));
    }
    const [listOf, values] = listed(waitingFor, hold);
    const rows = await this.dataSource.query<ListedEnrollment[]>(listOf(named !== null), [
      ...page,
      ...values,
      ...(named === null ? [] : [named]),
    ]);
    return pageOf(rows, request, cursorOf, (row) => enrollmentResource(row, hold));
  }

  /**
   * The team's enrollments of a contact, in a campaign, or both, the newest first.
   *
   * @throws AppError `INVALID_REQUEST` naming a malformed filter, or if neither was sent.
   */
  async listOfTeam(teamId: string, request: PageRequest<EnrollmentFilter>): Promise<EnrollmentPage> {
    const read = new FilterReader(ENROLLMENT_FILTERS, request);
    read.done();
    const { contactId, campaignId } = read.values;
    if (contactId === null && campaignId === null) throw invalid('contactId or campaignId is required');
    const { items, nextCursor } =
      contactId === null
        ? await this.listIfKnown(teamId, campaignId as string, request)
        : await this.listOfContact(teamId, contactId, request, read.values);
    return nextCursor === null ? { items } : { items, nextCursor };
  }

  /** Without the campaign there are no enrollments in it. */
  private async listIfKnown(
    teamId: string,
    campaignId: string,
    request: PageRequest<EnrollmentFilter>,
  ): Promise<Page<EnrollmentResource>> {
    try {
      return await this.list(teamId, campaignId, request);
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return { items: [], nextCursor: null };
      throw error;
    }
  }

  private async listOfContact(
    teamId: string,
    contactId: string,
    request: PageRequest<EnrollmentFilter>,
    {
      campaignId,
      status,
      versionId,
      version,
      waitingFor,
      phoneNumber,
    }: FilterValues<typeof ENROLLMENT_FILTERS>,
  ): Promise<Page<EnrollmentResource>> {
    const number = phoneNumber === null ? null : await this.numberOf(teamId, phoneNumber);
    const rows = await this.dataSource.query<(ListedEnrollment & { hold: Hold })[]>(ENROLLMENTS_OF_CONTACT, [
      teamId,
      contactId,
      ...cursorParameters(request.after),
      request.limit + 1,
      campaignId,
      status,
      versionId,
      version,
      waitingFor,
      number,
      WAITS_BEHIND_HOLDS,
    ]);
    return pageOf(rows, request, cursorOf, (row) => enrollmentResource(row, row.hold));
  }

  /** The number in E.164. @throws AppError `NOT_FOUND` for the team, or `INVALID_REQUEST` naming the filter. */
  private async numberOf(teamId: string, typed: string): Promise<string> {
    return readSoughtNumber(await this.teams.find(teamId), typed, 'phoneNumber');
  }

  /** @throws AppError `NOT_FOUND` for the team, the campaign or the enrollment. */
  async get(teamId: string, campaignId: string, id: string): Promise<EnrollmentDetail> {
    await this.campaigns.find(teamId, campaignId);
    if (!isUuid(id)) throw notFound('Enrollment');
    const query = this.enrollments.createQueryBuilder('e').addSelect('e.timeline');
    const enrollment = await query.where({ id, teamId, campaignId }).getOne();
    if (enrollment === null) throw notFound('Enrollment');
    const [figures] = await this.dataSource.query<EnrollmentFigures[]>(FIGURES_OF_ENROLLMENT, [id]);
    return enrollmentDetail(enrollment, figures ?? NO_FIGURES, await this.whyNot.of(teamId, id));
  }

  /**
   * Sets the status of an enrollment, if its present status allows the change.
   *
   * @throws AppError `NOT_FOUND` for the team, the campaign or the enrollment, or `CONFLICT` naming its
   *   present status.
   */
  async setStatus(
    teamId: string,
    campaignId: string,
    id: string,
    to: EnrollmentStatus,
  ): Promise<EnrollmentDetail> {
    await this.campaigns.find(teamId, campaignId);
    const keys = { id, teamId, campaignId };
    if (isUuid(id)) {
      if (to === 'exited') await this.settlement.settleFirst(teamId, 'ids', [id]);
      const change = [
        id,
        teamId,
        campaignId,
        to,
        enrollmentStatesBefore(to),
        to === 'exited' ? 'manual' : null,
        JSON.stringify(TIMELINE_OF_STATUS[to] ?? {}),
      ];
      const changed = await this.dataSource.transaction(async (manager) => {
        const [rows] = await manager.query<unknown[][]>(SET_ENROLLMENT_STATUS, change);
        if (!rows?.length) return false;
        await this.audit.write(manager, statusOfEnrollment(keys, to));
        return true;
      });
      if (changed) return this.get(teamId, campaignId, id);
    }
    const { status } = await findRow(this.enrollments, keys, 'Enrollment');
    throw new AppError('CONFLICT', `The enrollment is ${status} and cannot become ${to}`);
  }

  /**
   * The id of the version that a request names. If there is no draft, `draft` gives an id without
   * enrollments.
   */
  private async versionNamed({ id, currentVersionId }: Campaign, version: string): Promise<string> {
    if (version === 'current') return currentVersionId;
    if (version !== 'draft') return version;
    const versions = this.dataSource.getRepository(CampaignVersion);
    const draft = await versions.findOne({
      select: { id: true },
      where: { campaignId: id, status: 'draft' },
    });
    return draft?.id ?? NO_VERSION;
  }
}

/**
 * The statement of a list, and its value for what the enrollments wait for. A hold of their campaign hides what
 * they wait for besides.
 */
function listed(waitingFor: string | null, hold: Hold): [(withVersion: boolean) => string, unknown[]] {
  if (waitingFor === null) return [enrollmentsByStatus, []];
  if (waitingFor === hold) return [enrollmentsHeld, [WAITS_BEHIND_HOLDS]];
  const isHidden = shownWaitingFor(waitingFor, hold) !== waitingFor;
  return [enrollmentsThatWait, [isHidden ? null : waitingFor]];
}
