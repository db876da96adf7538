import { Controller, Get, HttpCode, Param, Post, Res, UseGuards } from '@nestjs/common';
import { type Response } from 'express';
import { PageOf } from '../../http/page-of.decorator.js';
import { type PageRequest } from '../../http/page.js';
import { send } from '../../idempotency/run-once.js';
import { ChangeScope, ReadScope } from '../../teams/key-scope.decorator.js';
import { Keyed } from '../../teams/keyed.decorator.js';
import { type KeyedRequest } from '../../teams/keyed-request.js';
import { TeamAuthGuard, TeamId } from '../../teams/team-auth.guard.js';
import { InTeamTurns } from '../../teams/team-controller.decorator.js';
import { EnrollService } from '../enrollment/enroll.service.js';
import {
  ENROLLMENT_FILTERS,
  type EnrollmentDetail,
  type EnrollmentFilter,
  type EnrollmentPage,
} from './enrollment.dto.js';
import { EnrollmentsService } from './enrollments.service.js';
import { TeamCampaignsService } from './team-campaigns.service.js';

/** Enrolling (contract 4.3), and the enrollments of a team, for requests with the team's API key. */
@Controller('api/campaigns/enrollments')
export class EnrollmentsController {
  constructor(
    private readonly enrollments: EnrollService,
    private readonly lists: EnrollmentsService,
    private readonly own: TeamCampaignsService,
  ) {}

  @Post()
  @ChangeScope('enrollments')
  async enroll(@Keyed() request: KeyedRequest, @Res() response: Response): Promise<void> {
    send(response, await this.enrollments.enroll(request));
  }

  @Get()
  @ReadScope('enrollments')
  @UseGuards(TeamAuthGuard)
  @InTeamTurns()
  list(
    @TeamId() teamId: string,
    @PageOf(ENROLLMENT_FILTERS, { refusedByFilters: true }) page: PageRequest<EnrollmentFilter>,
  ): Promise<EnrollmentPage> {
    return this.lists.listOfTeam(teamId, page);
  }

  @Get(':enrollmentId')
  @ReadScope('enrollments')
  @UseGuards(TeamAuthGuard)
  get(@TeamId() teamId: string, @Param('enrollmentId') enrollmentId: string): Promise<EnrollmentDetail> {
    return this.own.enrollment(teamId, enrollmentId);
  }

  @Post(':enrollmentId/pause')
  @ChangeScope('enrollments')
  @HttpCode(200)
  @UseGuards(TeamAuthGuard)
  pause(@TeamId() teamId: string, @Param('enrollmentId') enrollmentId: string): Promise<EnrollmentDetail> {
    return this.own.setStatus(teamId, enrollmentId, 'paused');
  }

  @Post(':enrollmentId/resume')
  @ChangeScope('enrollments')
  @HttpCode(200)
  @UseGuards(TeamAuthGuard)
  resume(@TeamId() teamId: string, @Param('enrollmentId') enrollmentId: string): Promise<EnrollmentDetail> {
    return this.own.setStatus(teamId, enrollmentId, 'active');
  }

  @Post(':enrollmentId/exit')
  @ChangeScope('enrollments')
  @HttpCode(200)
  @UseGuards(TeamAuthGuard)
  exit(@TeamId() teamId: string, @Param('enrollmentId') enrollmentId: string): Promise<EnrollmentDetail> {
    return this.own.setStatus(teamId, enrollmentId, 'exited');
  }
}
