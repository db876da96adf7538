import { Get, Param, Post } from '@nestjs/common';
import { OperatorController } from '../../http/operator-controller.decorator.js';
import { PageOf } from '../../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../../http/page.js';
import {
  ENROLLMENT_LIST_FILTERS,
  type EnrollmentDetail,
  type EnrollmentListFilter,
  type EnrollmentResource,
} from './enrollment.dto.js';
import { EnrollmentsService } from './enrollments.service.js';

@OperatorController('teams/:teamId/campaigns/:campaignId/enrollments')
export class EnrollmentsAdminController {
  constructor(private readonly enrollments: EnrollmentsService) {}

  @Get()
  list(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @PageOf(ENROLLMENT_LIST_FILTERS) page: PageRequest<EnrollmentListFilter>,
  ): Promise<Page<EnrollmentResource>> {
    return this.enrollments.list(teamId, campaignId, page);
  }

  @Get(':enrollmentId')
  get(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('enrollmentId') enrollmentId: string,
  ): Promise<EnrollmentDetail> {
    return this.enrollments.get(teamId, campaignId, enrollmentId);
  }

  @Post(':enrollmentId/pause')
  pause(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('enrollmentId') enrollmentId: string,
  ): Promise<EnrollmentDetail> {
    return this.enrollments.setStatus(teamId, campaignId, enrollmentId, 'paused');
  }

  @Post(':enrollmentId/resume')
  resume(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('enrollmentId') enrollmentId: string,
  ): Promise<EnrollmentDetail> {
    return this.enrollments.setStatus(teamId, campaignId, enrollmentId, 'active');
  }

  @Post(':enrollmentId/exit')
  exit(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('enrollmentId') enrollmentId: string,
  ): Promise<EnrollmentDetail> {
    return this.enrollments.setStatus(teamId, campaignId, enrollmentId, 'exited');
  }
}
