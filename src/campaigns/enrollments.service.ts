import { Injectable } from '@nestjs/common';
import { DataSource, In, type Repository } from 'typeorm';
import { pageByKey } from '../database/keyset.js';
import { findRow, sentFields } from '../database/rows.js';
import { ENROLLMENT_STATES, enrollmentStatesBefore } from '../domain/enrollment-states.js';
import { AppError, invalid } from '../http/app-error.js';
import { type Page, type PageRequest } from '../http/page.js';
import { isUuid } from '../http/validators.js';
import { CampaignsService } from './campaigns.service.js';
import { type EnrollmentListFilter, type EnrollmentResource, enrollmentResource } from './enrollment.dto.js';
import { Enrollment, type EnrollmentStatus } from './enrollment.entity.js';

// In the order of the index that keeps a contact from being enrolled twice.
const KEY = { property: 'contactId', of: (row: Enrollment) => row.contactId, isKey: isUuid } as const;

/** What the operator sees of enrollments, and does to them. */
@Injectable()
export class EnrollmentsService {
  private readonly enrollments: Repository<Enrollment>;

  constructor(
    dataSource: DataSource,
    private readonly campaigns: CampaignsService,
  ) {
    this.enrollments = dataSource.getRepository(Enrollment);
  }

  /** @throws AppError `NOT_FOUND` for the team or the campaign, or `INVALID_REQUEST` naming a malformed filter. */
  async list(
    teamId: string,
    campaignId: string,
    request: PageRequest<EnrollmentListFilter>,
  ): Promise<Page<EnrollmentResource>> {
    const { versionId, status } = request.filters;
    if (versionId !== undefined && !isUuid(versionId)) throw invalid('versionId must be a UUID');
    if (status !== undefined && !isState(status)) {
      throw invalid(`status must be one of ${ENROLLMENT_STATES.join(', ')}`);
    }
    await this.campaigns.find(teamId, campaignId);
    const query = this.enrollments
      .createQueryBuilder('e')
      .where(sentFields({ teamId, campaignId, versionId, status }));
    return pageByKey(query, request, KEY, enrollmentResource);
  }

  /** @throws AppError `NOT_FOUND` for the team, the campaign or the enrollment. */
  async get(teamId: string, campaignId: string, id: string): Promise<EnrollmentResource> {
    await this.campaigns.find(teamId, campaignId);
    return enrollmentResource(await findRow(this.enrollments, { id, teamId, campaignId }, 'Enrollment'));
  }

  /**
   * Moves an enrollment, if its state allows that.
   *
   * @throws AppError `NOT_FOUND` for the team, the campaign or the enrollment, or `CONFLICT` naming the state it is in.
   */
  async move(
    teamId: string,
    campaignId: string,
    id: string,
    to: EnrollmentStatus,
  ): Promise<EnrollmentResource> {
    await this.campaigns.find(teamId, campaignId);
    const keys = { id, teamId, campaignId };
    if (isUuid(id)) {
      const movable = { ...keys, status: In(enrollmentStatesBefore(to)) };
      const { affected } = await this.enrollments.update(movable, { status: to, updatedAt: () => 'now()' });
      if (affected) return this.get(teamId, campaignId, id);
    }
    const { status } = await findRow(this.enrollments, keys, 'Enrollment');
    throw new AppError('CONFLICT', `The enrollment is ${status} and cannot become ${to}`);
  }
}

function isState(text: string): text is EnrollmentStatus {
  return (ENROLLMENT_STATES as string[]).includes(text);
}
