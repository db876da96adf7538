import { Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { type Request } from 'express';
import { type PageElement } from '../../http/html-page.js';
import { originOf } from '../../http/own-origin.js';
import { Done, Form, type PageRequest, RequestedPage, type RefusedPage } from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { Sent, type SentFields } from '../frame/sent-fields.js';
import { ApiKeysPageService } from './api-keys-page.service.js';

@TeamPages('settings/api-keys')
export class ApiKeyPagesController {
  constructor(private readonly keys: ApiKeysPageService) {}

  @Get()
  @Needs('keys')
  page(@Param('teamId') teamId: string, @RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.keys.page(request, teamId);
  }

  /** The answer shows the key, so it is a page and no redirect: no address and no cookie ever has the key. */
  @Post()
  @HttpCode(200)
  @Needs('keys')
  create(
    @Param('teamId') teamId: string,
    @RequestedPage() requested: PageRequest,
    @Sent() sent: SentFields,
    @Req() request: Request,
  ): Promise<PageElement | RefusedPage> {
    return this.keys.create(requested, teamId, sent, originOf(request));
  }

  @Post(':keyId/revoke')
  @Needs('keys')
  async revoke(
    @Param('teamId') teamId: string,
    @Param('keyId') keyId: string,
    @Form() form: ReadonlyMap<string, string>,
  ): Promise<Done> {
    await this.keys.revoke(teamId, keyId);
    return new Done(form, 'keyrevoked');
  }
}
