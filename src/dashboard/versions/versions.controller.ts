import { Get, HttpCode, Param, Post } from '@nestjs/common';
import { type PageElement } from '../../http/html-page.js';
import {
  Done,
  Form,
  type PageRequest,
  type Redirect,
  type RefusedPage,
  RequestedPage,
} from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { Sent, type SentFields } from '../frame/sent-fields.js';
import { VersionEditorService } from './version-editor.service.js';
import { VersionPageService } from './version-page.service.js';

/** The versions of a campaign. `new` is no id of a version. */
@TeamPages('campaigns/:campaignId/versions')
export class VersionPagesController {
  constructor(
    private readonly editor: VersionEditorService,
    private readonly versions: VersionPageService,
  ) {}

  @Get('new')
  @Needs('campaigns.change')
  newPage(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement | Redirect> {
    return this.editor.newPage(request, teamId, campaignId);
  }

  /** Most buttons of the form change it and store nothing, so the answer is mostly a page. */
  @Post('new')
  @HttpCode(200)
  @Needs('campaigns.change')
  async create(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @RequestedPage() request: PageRequest,
    @Form() form: ReadonlyMap<string, string>,
    @Sent() sent: SentFields,
  ): Promise<Done | PageElement | RefusedPage> {
    const made = await this.editor.submit(request, { teamId, campaignId, versionId: null }, sent);
    return typeof made === 'string' ? saved(form, teamId, campaignId, made) : made;
  }

  @Get(':versionId')
  @Needs('read')
  page(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('versionId') versionId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.versions.page(request, teamId, campaignId, versionId);
  }

  @Post(':versionId')
  @HttpCode(200)
  @Needs('campaigns.change')
  async save(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('versionId') versionId: string,
    @RequestedPage() request: PageRequest,
    @Form() form: ReadonlyMap<string, string>,
    @Sent() sent: SentFields,
  ): Promise<Done | PageElement | RefusedPage> {
    const made = await this.editor.submit(request, { teamId, campaignId, versionId }, sent);
    return typeof made === 'string' ? saved(form, teamId, campaignId, made) : made;
  }

  /** Asked by the open form as one types; the version's own state decides nothing. */
  @Post(':versionId/check')
  @HttpCode(200)
  @Needs('campaigns.change')
  check(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Sent() sent: SentFields,
  ): Promise<PageElement> {
    return this.editor.check(teamId, campaignId, sent);
  }

  @Get(':versionId/publish')
  @Needs('campaigns.change')
  publication(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('versionId') versionId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.versions.publication(request, teamId, campaignId, versionId);
  }

  @Post(':versionId/publish')
  @Needs('campaigns.change')
  async publish(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('versionId') versionId: string,
    @Form() form: ReadonlyMap<string, string>,
  ): Promise<Done> {
    await this.versions.publish(teamId, campaignId, versionId);
    return new Done(form, 'versionpublished');
  }
}

function saved(form: ReadonlyMap<string, string>, teamId: string, campaignId: string, id: string): Done {
  return new Done(form, 'draftsaved', `/t/${teamId}/campaigns/${campaignId}/versions/${id}`);
}
