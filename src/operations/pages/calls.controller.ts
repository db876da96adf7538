import { Get, Param, Post, Res } from '@nestjs/common';
import { type Response } from 'express';
import { sendExport } from '../../http/export.js';
import { CallListPageService, DOWNLOAD_COLUMNS } from './call-list-page.service.js';
import { CancelPageService } from './cancel-page.service.js';
import { CallPageService } from './call-page.service.js';
import { RequestedPage, Done, Form, type PageRequest } from './form.js';
import { type PageElement } from '../../http/html-page.js';
import { OperationsPage } from './operations-page.decorator.js';

@OperationsPage('calls')
export class CallPagesController {
  constructor(
    private readonly calls: CallPageService,
    private readonly lists: CallListPageService,
    private readonly cancellations: CancelPageService,
  ) {}

  @Get()
  async list(
    @RequestedPage() request: PageRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageElement> {
    const { status, page } = await this.lists.page(request);
    response.status(status);
    return page;
  }

  @Get('download')
  async download(@RequestedPage() request: PageRequest, @Res() response: Response): Promise<void> {
    const read = await this.lists.download(request);
    // Spreadsheets know by the byte order mark that the file is in UTF-8.
    const file = { format: 'csv', bom: true, name: 'calls', columns: DOWNLOAD_COLUMNS } as const;
    await sendExport(response, file, read);
  }

  @Get('cancel')
  cancelConfirmation(@RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.cancellations.page(request);
  }

  @Post('cancel')
  async cancelMany(@Form() form: ReadonlyMap<string, string>): Promise<Done> {
    const { remaining } = await this.cancellations.cancel(form);
    return new Done(form, remaining > 0 ? 'canceledsome' : 'canceledmany');
  }

  @Get(':id')
  call(@Param('id') id: string, @RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.calls.page(request, id);
  }

  @Post(':id/cancel')
  async cancel(@Param('id') id: string, @Form() form: ReadonlyMap<string, string>): Promise<Done> {
    await this.calls.cancel(id);
    return new Done(form, 'canceled');
  }

  @Post(':id/hang-up')
  async hangUp(@Param('id') id: string, @Form() form: ReadonlyMap<string, string>): Promise<Done> {
    await this.calls.hangUp(id);
    return new Done(form, 'hungup');
  }

  @Get(':id/resolve')
  confirmation(@Param('id') id: string, @RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.calls.confirmation(request, id);
  }

  @Post(':id/resolve')
  async resolve(@Param('id') id: string, @Form() form: ReadonlyMap<string, string>): Promise<Done> {
    await this.calls.resolve(id, form.get('outcome'));
    return new Done(form, 'resolved');
  }
}
