import { Get, Injectable, Param, Post } from '@nestjs/common';
import { PageOf } from '../../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../../http/page.js';
import { ChangeScope, ReadScope } from '../../teams/key-scope.decorator.js';
import { TeamOfRoute } from '../../teams/team-controller.decorator.js';
import {
  ENROLLMENT_LIST_FILTERS,
  type EnrollmentDetail,
  type EnrollmentListFilter,
  type EnrollmentResource,
} from './enrollment.dto.js';
import { EnrollmentsService } from './enrollments.service.js';

/** The routes of the enrollments of a campaign, which the operator and a team's key have alike. */
@Injectable()
export abstract class CampaignEnrollmentRoutes {
  constructor(private readonly enrollments: EnrollmentsService) {}

  @Get()
  @ReadScope('enrollments')
  list(
    @TeamOfRoute() teamId: string,
    @Param('campaignId') campaignId: string,
    @PageOf(ENROLLMENT_LIST_FILTERS) page: PageRequest<EnrollmentListFilter>,
  ): Promise<Page<EnrollmentResource>> {
    return this.enrollments.list(teamId, campaignId, page);
  }

  @Get(':enrollmentId')
  @ReadScope('enrollments')
  get(
    @TeamOfRoute() teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('enrollmentId') enrollmentId: string,
  ): Promise<EnrollmentDetail> {
    return this.enrollments.get(teamId, campaignId, enrollmentId);
  }

  @Post(':enrollmentId/pause')
  @ChangeScope('enrollments')
  pause(
    @TeamOfRoute() teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('enrollmentId') enrollmentId: string,
  ): Promise<EnrollmentDetail> {
    return this.enrollments.setStatus(teamId, campaignId, enrollmentId, 'paused');
  }

  @Post(':enrollmentId/resume')
  @ChangeScope('enrollments')
  resume(
    @TeamOfRoute() teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('enrollmentId') enrollmentId: string,
  ): Promise<EnrollmentDetail> {
    return this.enrollments.setStatus(teamId, campaignId, enrollmentId, 'active');
  }

  @Post(':enrollmentId/exit')
  @ChangeScope('enrollments')
  exit(
    @TeamOfRoute() teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('enrollmentId') enrollmentId: string,
  ): Promise<EnrollmentDetail> {
    return this.enrollments.setStatus(teamId, campaignId, enrollmentId, 'exited');
  }
}
