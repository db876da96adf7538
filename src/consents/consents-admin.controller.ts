import { Get, HttpCode, Param, Post } from '@nestjs/common';
import { JsonBody } from '../http/json-body.decorator.js';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { TeamsService } from '../teams/teams.service.js';
import { type ConsentResource, RecordConsent, RevokeConsent } from './consent.dto.js';
import { CONSENT_FILTERS, type ConsentFilter } from './consent-filters.js';
import { ConsentsService } from './consents.service.js';

@OperatorController('teams/:teamId/consents')
export class ConsentsAdminController {
  constructor(
    private readonly consents: ConsentsService,
    private readonly teams: TeamsService,
  ) {}

  @Get()
  async list(
    @Param('teamId') teamId: string,
    @PageOf(CONSENT_FILTERS, { refusedByFilters: true }) page: PageRequest<ConsentFilter>,
  ): Promise<Page<ConsentResource>> {
    return this.consents.list(await this.teams.find(teamId), page);
  }

  @Post()
  async record(
    @Param('teamId') teamId: string,
    @JsonBody(RecordConsent) fields: RecordConsent,
  ): Promise<ConsentResource> {
    return this.consents.record(await this.teams.find(teamId), fields);
  }

  @Post(':id/revoke')
  @HttpCode(200)
  async revoke(
    @Param('teamId') teamId: string,
    @Param('id') id: string,
    @JsonBody(RevokeConsent) fields: RevokeConsent,
  ): Promise<ConsentResource> {
    return this.consents.revoke(await this.teams.find(teamId), id, fields);
  }
}
