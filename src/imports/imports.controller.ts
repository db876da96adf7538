import { Controller, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { Audited } from '../audit/audited.decorator.js';
import { type Request, type Response } from 'express';
import { EXPORT_TYPES } from '../http/export.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { sendPieces } from '../http/send-pieces.js';
import { send } from '../idempotency/run-once.js';
import { ChangeScope, ReadScope } from '../teams/key-scope.decorator.js';
import { TeamAuthGuard, TeamId } from '../teams/team-auth.guard.js';
import { type ImportView, type ImportWithColumns } from './import-view.js';
import { IMPORT_FILTERS, type ImportFilter } from './import-filters.js';
import { ImportsService } from './imports.service.js';
import { readResultsQuery } from './results-query.js';
import { UploadsService } from './upload/uploads.service.js';

const { csv: CSV, ndjson: NDJSON } = EXPORT_TYPES;

/** A team's imports, by its key. */
@Controller('api/imports')
@UseGuards(TeamAuthGuard)
export class ImportsController {
  constructor(
    private readonly imports: ImportsService,
    private readonly uploads: UploadsService,
  ) {}

  @Post()
  @ChangeScope('imports')
  @HttpCode(202)
  async create(@Req() request: Request, @Res() response: Response): Promise<void> {
    send(response, await this.uploads.take(request));
  }

  @Get()
  @ReadScope('imports')
  list(
    @TeamId() teamId: string,
    @PageOf(IMPORT_FILTERS, { refusedByFilters: true }) page: PageRequest<ImportFilter>,
  ): Promise<Page<ImportView>> {
    return this.imports.list(teamId, page);
  }

  @Get(':importId')
  @ReadScope('imports')
  get(@TeamId() teamId: string, @Param('importId') importId: string): Promise<ImportWithColumns> {
    return this.imports.get(teamId, importId);
  }

  @Get(':importId/results')
  @Audited('import.results_exported', 'importId')
  @ReadScope('imports')
  async results(
    @TeamId() teamId: string,
    @Param('importId') importId: string,
    @Req() { query }: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { failed, format, bom } = readResultsQuery(query);
    if (format === 'ndjson') {
      await sendPieces(response, await this.imports.results(teamId, importId, failed), NDJSON);
      return;
    }
    const rows = await this.imports.failedRows(teamId, importId, bom);
    response.setHeader('Content-Disposition', 'attachment; filename="failed-rows.csv"');
    await sendPieces(response, rows, CSV);
  }

  @Post(':importId/cancel')
  @ChangeScope('imports')
  @HttpCode(200)
  cancel(@TeamId() teamId: string, @Param('importId') importId: string): Promise<ImportWithColumns> {
    return this.imports.cancel(teamId, importId);
  }

  @Post(':importId/start')
  @ChangeScope('imports')
  @HttpCode(200)
  start(@TeamId() teamId: string, @Param('importId') importId: string): Promise<ImportWithColumns> {
    return this.imports.start(teamId, importId);
  }

  @Post(':importId/undo')
  @ChangeScope('imports')
  @HttpCode(202)
  undo(@TeamId() teamId: string, @Param('importId') importId: string): Promise<ImportWithColumns> {
    return this.imports.undo(teamId, importId);
  }
}
