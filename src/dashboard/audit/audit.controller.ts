import { Get, Res } from '@nestjs/common';
import { type Response } from 'express';
import { Audited } from '../../audit/audited.decorator.js';
import { sendExport } from '../../http/export.js';
import { type PageElement } from '../../http/html-page.js';
import { type PageRequest, RequestedPage, type RefusedPage } from '../frame/form.js';
import { Needs } from '../frame/page-need.js';
import { PlatformPages, TeamPages } from '../frame/page.decorator.js';
import { AuditPageService, DOWNLOAD_COLUMNS } from './audit-page.service.js';

const FILE = { format: 'csv', bom: true, name: 'audit', columns: DOWNLOAD_COLUMNS } as const;

/** Who changed what in a team. */
@TeamPages('audit')
export class TeamAuditController {
  constructor(private readonly audit: AuditPageService) {}

  @Get()
  @Needs('audit.read')
  page(@RequestedPage() request: PageRequest): Promise<PageElement | RefusedPage> {
    return this.audit.page(request);
  }

  @Get('download')
  @Needs('audit.read')
  @Audited('audit.exported')
  async download(@RequestedPage() request: PageRequest, @Res() response: Response): Promise<void> {
    await sendExport(response, FILE, await this.audit.download(request));
  }
}

/** Who changed what in all teams and on the platform. */
@PlatformPages('audit')
export class PlatformAuditController {
  constructor(private readonly audit: AuditPageService) {}

  @Get()
  @Needs('platform.read')
  page(@RequestedPage() request: PageRequest): Promise<PageElement | RefusedPage> {
    return this.audit.page(request);
  }

  @Get('download')
  @Needs('platform.read')
  @Audited('audit.exported')
  async download(@RequestedPage() request: PageRequest, @Res() response: Response): Promise<void> {
    await sendExport(response, FILE, await this.audit.download(request));
  }
}
