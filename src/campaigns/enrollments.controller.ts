import { Controller, Get, Post, UseGuards } from '@nestjs/common';
import { PageOf, type PageRequest } from '../http/page.js';
import { Keyed, type KeyedRequest } from '../teams/keyed-request.js';
import { TeamAuthGuard, TeamId } from '../teams/team-auth.guard.js';
import {
  type Enrolled,
  ENROLLMENT_FILTERS,
  type EnrollmentFilter,
  type EnrollmentPage,
  EnrollService,
} from './enroll.service.js';

/** Contract 4.3, and a team's own enrollments by its key. */
@Controller('api/campaigns/enrollments')
export class EnrollmentsController {
  constructor(private readonly enrollments: EnrollService) {}

  @Post()
  enroll(@Keyed() request: KeyedRequest): Promise<Enrolled> {
    return this.enrollments.enroll(request);
  }

  @Get()
  @UseGuards(TeamAuthGuard)
  list(
    @TeamId() teamId: string,
    @PageOf(ENROLLMENT_FILTERS) page: PageRequest<EnrollmentFilter>,
  ): Promise<EnrollmentPage> {
    return this.enrollments.list(teamId, page);
  }
}
