import { Get, Param, Patch, Post } from '@nestjs/common';
import { JsonBody } from '../http/json-body.decorator.js';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { type Page, PageOf, type PageRequest } from '../http/page.js';
import {
  type CampaignVersionResource,
  CreateCampaignVersion,
  type PublishedCampaignVersionResource,
  UpdateCampaignVersion,
} from './campaign-version.dto.js';
import { CampaignVersionsService } from './campaign-versions.service.js';

@OperatorController('teams/:teamId/campaigns/:campaignId/versions')
export class CampaignVersionsAdminController {
  constructor(private readonly versions: CampaignVersionsService) {}

  @Get()
  list(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @PageOf() page: PageRequest,
  ): Promise<Page<CampaignVersionResource>> {
    return this.versions.list(teamId, campaignId, page);
  }

  @Post()
  create(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @JsonBody(CreateCampaignVersion) fields: CreateCampaignVersion,
  ): Promise<CampaignVersionResource> {
    return this.versions.create(teamId, campaignId, fields);
  }

  @Get(':versionId')
  get(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('versionId') versionId: string,
  ): Promise<CampaignVersionResource> {
    return this.versions.get(teamId, campaignId, versionId);
  }

  @Patch(':versionId')
  update(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('versionId') versionId: string,
    @JsonBody(UpdateCampaignVersion) fields: UpdateCampaignVersion,
  ): Promise<CampaignVersionResource> {
    return this.versions.update(teamId, campaignId, versionId, fields);
  }

  @Post(':versionId/publish')
  publish(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('versionId') versionId: string,
  ): Promise<PublishedCampaignVersionResource> {
    return this.versions.publish(teamId, campaignId, versionId);
  }
}
