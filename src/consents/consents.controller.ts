import { Controller, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { invalid } from '../http/app-error.js';
import { JsonBody } from '../http/json-body.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { idempotencyKeyOf } from '../idempotency/idempotency.js';
import { send } from '../idempotency/run-once.js';
import { admittedKeyOf } from '../teams/key-of-request.js';
import { ChangeScope, ReadScope } from '../teams/key-scope.decorator.js';
import { OwnTeamService } from '../teams/own-team.service.js';
import { TeamAuthGuard, TeamId } from '../teams/team-auth.guard.js';
import { type ConsentResource, RecordConsent, RevokeConsent } from './consent.dto.js';
import { CONSENT_FILTERS, type ConsentFilter } from './consent-filters.js';
import { ConsentsService } from './consents.service.js';

/** The consents of a team, for requests with the team's API key. */
@Controller('api/consents')
@UseGuards(TeamAuthGuard)
export class ConsentsController {
  constructor(
    private readonly consents: ConsentsService,
    private readonly ownTeam: OwnTeamService,
  ) {}

  @Get()
  @ReadScope('suppressions')
  async list(
    @TeamId() teamId: string,
    @PageOf(CONSENT_FILTERS, { refusedByFilters: true }) page: PageRequest<ConsentFilter>,
  ): Promise<Page<ConsentResource>> {
    return this.consents.list(await this.ownTeam.find(teamId), page);
  }

  @Post()
  @ChangeScope('suppressions')
  @HttpCode(201)
  async record(
    @JsonBody(RecordConsent) fields: RecordConsent,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { keyHash, teamId } = admittedKeyOf(request);
    const key = idempotencyKeyOf(request);
    if (!key.ok) throw invalid(...key.problems);
    const once = key.value === null ? null : { keyHash, key: key.value };
    send(response, await this.consents.recordOnce(await this.ownTeam.find(teamId), fields, once));
  }

  @Post(':id/revoke')
  @ChangeScope('suppressions')
  @HttpCode(200)
  async revoke(
    @TeamId() teamId: string,
    @Param('id') id: string,
    @JsonBody(RevokeConsent) fields: RevokeConsent,
  ): Promise<ConsentResource> {
    return this.consents.revoke(await this.ownTeam.find(teamId), id, fields);
  }
}
