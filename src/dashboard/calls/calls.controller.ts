import { Get, Param, Post, Res } from '@nestjs/common';
import { type Response } from 'express';
import { Audited } from '../../audit/audited.decorator.js';
import { sendExport } from '../../http/export.js';
import { CallListPageService, DOWNLOAD_COLUMNS } from './call-list-page.service.js';
import { CancelPageService } from './cancel-page.service.js';
import { CallPageService } from './call-page.service.js';
import { RequestedPage, Done, Form, pageAround, type PageRequest, type RefusedPage } from '../frame/form.js';
import { type PageElement } from '../../http/html-page.js';
import { PlatformPages, TeamAndPlatformPages, TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';

type Sent = ReadonlyMap<string, string>;

/** Lists of calls, of a team or across teams. */
@TeamAndPlatformPages('calls')
export class CallListPagesController {
  constructor(private readonly lists: CallListPageService) {}

  @Get()
  @Needs('read')
  async list(
    @RequestedPage() request: PageRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageElement> {
    const { status, page } = await this.lists.page(request);
    response.status(status);
    return page;
  }

  @Get('download')
  @Audited('call.exported')
  @Needs('read')
  async download(@RequestedPage() request: PageRequest, @Res() response: Response): Promise<void> {
    const read = await this.lists.download(request);
    // Spreadsheets know by the byte order mark that the file is in UTF-8.
    const file = { format: 'csv', bom: true, name: 'calls', columns: DOWNLOAD_COLUMNS } as const;
    await sendExport(response, file, read);
  }
}

/** Leads from a call to its page, which is one of its team. */
@PlatformPages('calls')
export class PlatformCallPagesController {
  constructor(private readonly calls: CallPageService) {}

  @Get([':id', ':id/resolve'])
  @Needs('platform.read')
  async call(
    @Param('id') id: string,
    @RequestedPage() { self }: PageRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const teamId = await this.calls.teamOf(id);
    response.status(302).location(self.replace(/^\/platform/, `/t/${teamId}`));
  }
}

/** The calls of a team: one, and cancellations of many. */
@TeamPages('calls')
export class CallPagesController {
  constructor(
    private readonly calls: CallPageService,
    private readonly cancellations: CancelPageService,
  ) {}

  @Get('cancel')
  @Needs('calls.change')
  cancelConfirmation(@RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.cancellations.page(request);
  }

  @Post('cancel')
  @Needs('calls.change')
  async cancelMany(@Param('teamId') teamId: string, @Form() form: Sent): Promise<Done> {
    const { remaining } = await this.cancellations.cancel(teamId, form);
    return new Done(form, remaining > 0 ? 'canceledsome' : 'canceledmany');
  }

  @Get(':id')
  @Needs('read')
  call(
    @Param('teamId') teamId: string,
    @Param('id') id: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.calls.page(request, teamId, id);
  }

  @Post(':id/cancel')
  @Needs('calls.change')
  async cancel(@Param('teamId') teamId: string, @Param('id') id: string, @Form() form: Sent): Promise<Done> {
    await this.calls.cancel(teamId, id);
    return new Done(form, 'canceled');
  }

  @Post(':id/hang-up')
  @Needs('calls.change')
  async hangUp(@Param('teamId') teamId: string, @Param('id') id: string, @Form() form: Sent): Promise<Done> {
    await this.calls.hangUp(teamId, id);
    return new Done(form, 'hungup');
  }

  @Get(':id/resolve')
  @Needs('calls.change')
  confirmation(
    @Param('teamId') teamId: string,
    @Param('id') id: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.calls.confirmation(request, teamId, id);
  }

  @Post(':id/resolve')
  @Needs('calls.change')
  async resolve(@Param('teamId') teamId: string, @Param('id') id: string, @Form() form: Sent): Promise<Done> {
    await this.calls.resolve(teamId, id, form.get('outcome'));
    return new Done(form, 'resolved');
  }

  @Post(':id/result')
  @Needs('calls.change')
  async report(
    @Param('teamId') teamId: string,
    @Param('id') id: string,
    @Form() form: Sent,
    @RequestedPage() request: PageRequest,
  ): Promise<Done | RefusedPage> {
    const typed = { disposition: form.get('disposition') ?? '', optOut: form.get('optOut') === 'true' };
    const refused = await this.calls.report(pageAround(form, request), teamId, id, typed);
    return refused ?? new Done(form, 'resultreported');
  }
}
