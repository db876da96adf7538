import { Get, Headers, Param, Post, Res } from '@nestjs/common';
import { type Response } from 'express';
import { EXPORT_TYPES } from '../../http/export.js';
import { type PageElement } from '../../http/html-page.js';
import { sendPieces } from '../../http/send-pieces.js';
import {
  Done,
  Form,
  pageAround,
  type PageRequest,
  Redirect,
  RefusedPage,
  RequestedPage,
} from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { NewImportService } from './new-import.service.js';
import { PreviewService } from './preview.service.js';
import { UPLOAD_MEMORY } from '../../imports/limits.js';
import { type UploadedForm } from '../../http/multipart.js';
import { TakesFile, Uploaded } from '../frame/uploaded-form.js';
import { ImportPageService } from './import-page.service.js';

type Sent = ReadonlyMap<string, string>;

/** A team's imports. */
@TeamPages('imports')
export class ImportPagesController {
  constructor(
    private readonly imports: ImportPageService,
    private readonly uploads: NewImportService,
    private readonly previews: PreviewService,
  ) {}

  @Get()
  @Needs('read')
  list(
    @Param('teamId') teamId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement | RefusedPage> {
    return this.imports.list(request, teamId);
  }

  @Get('new')
  @Needs('imports.change')
  newImport(@Param('teamId') teamId: string, @RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.uploads.page(request, teamId);
  }

  /** The file is stored as it arrives, after the token before it was checked. */
  @Post('new')
  @Needs('imports.change')
  @TakesFile(UPLOAD_MEMORY)
  async upload(
    @Param('teamId') teamId: string,
    @RequestedPage() request: PageRequest,
    @Uploaded() form: UploadedForm | null,
  ): Promise<Redirect | RefusedPage> {
    const uploaded = await this.uploads.upload(request, teamId, form);
    return typeof uploaded === 'string' ? new Redirect(`/t/${teamId}/imports/${uploaded}/preview`) : uploaded;
  }

  @Get(':importId/preview')
  @Needs('imports.change')
  preview(
    @Param('teamId') teamId: string,
    @Param('importId') importId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement | Redirect> {
    return this.previews.page(request, teamId, importId);
  }

  /** Changes what the columns are, or starts the import. */
  @Post(':importId/preview')
  @Needs('imports.change')
  async change(
    @Param('teamId') teamId: string,
    @Param('importId') importId: string,
    @Form() form: Sent,
    @RequestedPage() request: PageRequest,
  ): Promise<Done | Redirect | RefusedPage> {
    const answer = await this.previews.change(pageAround(form, request), teamId, importId, form);
    if (answer instanceof RefusedPage) return answer;
    if (answer === 'started') return new Done(form, 'importstarted', `/t/${teamId}/imports/${importId}`);
    const isNotStarted = answer === 'changed' && form.get('act') === 'start';
    return new Done(
      form,
      isNotStarted ? 'columnschangedfirst' : answer === 'same' ? 'nothingchanged' : 'columnschanged',
    );
  }

  /** The part that renews itself ends with the import: the whole page is then loaded again, once. */
  @Get(':importId')
  @Needs('read')
  async one(
    @Param('teamId') teamId: string,
    @Param('importId') importId: string,
    @RequestedPage() request: PageRequest,
    @Headers('hx-request') byScript: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageElement> {
    const { page, ended } = await this.imports.page(request, teamId, importId);
    if (ended && byScript !== undefined) response.setHeader('HX-Refresh', 'true');
    return page;
  }

  @Get(':importId/refused')
  @Needs('read')
  async refused(
    @Param('teamId') teamId: string,
    @Param('importId') importId: string,
    @Res() response: Response,
  ): Promise<void> {
    const pieces = await this.imports.download(teamId, importId);
    response.setHeader('Content-Disposition', 'attachment; filename="refused-rows.csv"');
    await sendPieces(response, pieces, EXPORT_TYPES.csv);
  }

  @Post(':importId/cancel')
  @Needs('imports.change')
  async cancel(
    @Param('teamId') teamId: string,
    @Param('importId') importId: string,
    @Form() form: Sent,
  ): Promise<Done> {
    await this.imports.cancel(teamId, importId);
    return new Done(form, 'importcanceled');
  }

  @Post(':importId/undo')
  @Needs('imports.change')
  async undo(
    @Param('teamId') teamId: string,
    @Param('importId') importId: string,
    @Form() form: Sent,
  ): Promise<Done> {
    await this.imports.undo(teamId, importId);
    return new Done(form, 'importundoing');
  }
}
