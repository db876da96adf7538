import { Get, Injectable, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { type Response } from 'express';
import { invalid } from '../../http/app-error.js';
import { JsonBody } from '../../http/json-body.decorator.js';
import { PageOf } from '../../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../../http/page.js';
import { ChangeScope, ReadScope } from '../../teams/key-scope.decorator.js';
import { TeamOfRoute } from '../../teams/team-controller.decorator.js';
import {
  type CampaignVersionResource,
  CreateCampaignVersion,
  type PublishedCampaignVersionResource,
  UpdateCampaignVersion,
} from './campaign-version.dto.js';
import { CampaignVersionsService } from './campaign-versions.service.js';
import { MigrateCampaignVersion, type VersionMigrationPlan } from './version-migration.dto.js';
import { VersionMigrationsService } from './version-migrations.service.js';

/** The routes of the versions of a campaign, which the operator and a team's key have alike. */
@Injectable()
export abstract class CampaignVersionRoutes {
  constructor(
    private readonly versions: CampaignVersionsService,
    private readonly migrations: VersionMigrationsService,
  ) {}

  @Get()
  @ReadScope('campaigns')
  list(
    @TeamOfRoute() teamId: string,
    @Param('campaignId') campaignId: string,
    @PageOf() page: PageRequest,
  ): Promise<Page<CampaignVersionResource>> {
    return this.versions.list(teamId, campaignId, page);
  }

  @Post()
  @ChangeScope('campaigns')
  create(
    @TeamOfRoute() teamId: string,
    @Param('campaignId') campaignId: string,
    @JsonBody(CreateCampaignVersion) fields: CreateCampaignVersion,
  ): Promise<CampaignVersionResource> {
    return this.versions.create(teamId, campaignId, fields);
  }

  @Get(':versionId')
  @ReadScope('campaigns')
  get(
    @TeamOfRoute() teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('versionId') versionId: string,
  ): Promise<CampaignVersionResource> {
    return this.versions.get(teamId, campaignId, versionId);
  }

  @Patch(':versionId')
  @ChangeScope('campaigns')
  update(
    @TeamOfRoute() teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('versionId') versionId: string,
    @JsonBody(UpdateCampaignVersion) fields: UpdateCampaignVersion,
  ): Promise<CampaignVersionResource> {
    return this.versions.update(teamId, campaignId, versionId, fields);
  }

  @Post(':versionId/publish')
  @ChangeScope('campaigns')
  publish(
    @TeamOfRoute() teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('versionId') versionId: string,
  ): Promise<PublishedCampaignVersionResource> {
    return this.versions.publish(teamId, campaignId, versionId);
  }

  @Post(':versionId/migrate')
  @ChangeScope('campaigns')
  async migrate(
    @TeamOfRoute() teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('versionId') versionId: string,
    @JsonBody(MigrateCampaignVersion) fields: MigrateCampaignVersion,
    @Query('dryRun') dryRun: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<VersionMigrationPlan> {
    if (dryRun !== undefined && dryRun !== 'true' && dryRun !== 'false') {
      throw invalid('dryRun must be true or false');
    }
    const keys = { teamId, campaignId, fromVersionId: fields.fromVersionId, toVersionId: versionId };
    const plan = await this.migrations[dryRun === 'true' ? 'plan' : 'migrate'](keys);
    response.status(dryRun === 'true' ? 200 : 202);
    return plan;
  }
}
