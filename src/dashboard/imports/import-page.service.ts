import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { AppError } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { type ImportResultView } from '../../imports/import-view.js';
import { ImportsService } from '../../imports/imports.service.js';
import { type PageRequest, type RefusedPage } from '../frame/form.js';
import { listPage } from '../frame/list-page.js';
import { answerOf, PageFrame, readOrRefuse } from '../frame/page-frame.service.js';
import { importPage } from './import.view.js';
import { importsPage } from './imports.view.js';

const IMPORTS_A_PAGE = 50;
/** The most refused rows of a page; all are in the download. */
const MOST_REFUSED = 50;

/** A team's imports, and one of them. */
@Injectable()
export class ImportPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly imports: ImportsService,
    private readonly campaigns: CampaignsService,
    private readonly audit: AuditService,
  ) {}

  /** The list; without it if the address is refused. */
  async list(request: PageRequest, teamId: string): Promise<PageElement | RefusedPage> {
    const read = await this.frames.tolerant(request);
    const status = request.parameter('status');
    const [frame, imports] = await readOrRefuse(read, null, () => {
      const filters: Record<string, string> = status === null ? {} : { status };
      return this.imports.list(teamId, listPage(IMPORTS_A_PAGE, request.parameter('cursor'), filters));
    });
    return answerOf(frame, importsPage(frame, { imports, status }));
  }

  /** @throws AppError `NOT_FOUND`. */
  async page(
    request: PageRequest,
    teamId: string,
    id: string,
  ): Promise<{ page: PageElement; ended: boolean }> {
    const [frame, shown] = await Promise.all([this.frames.of(request), this.imports.get(teamId, id)]);
    const [refused, campaign] = await Promise.all([
      shown.failed === 0 ? [] : this.refused(teamId, id),
      this.campaignName(teamId, shown.campaignId),
    ]);
    return { page: importPage(frame, { shown, campaign, refused }), ended: shown.finishedAt !== null };
  }

  /** The rows that were refused, as a CSV file for a spreadsheet. It is audited. @throws AppError `NOT_FOUND`. */
  async download(teamId: string, id: string): Promise<AsyncIterable<string>> {
    const rows = await this.imports.failedRows(teamId, id, true);
    await this.audit.note({ teamId, action: 'import.results_exported', target: { type: 'import', id } });
    return rows;
  }

  /** @throws AppError `NOT_FOUND`, `CONFLICT`. */
  async cancel(teamId: string, id: string): Promise<void> {
    await this.imports.cancel(teamId, id);
  }

  /** @throws AppError `NOT_FOUND`, `CONFLICT`. */
  async undo(teamId: string, id: string): Promise<void> {
    await this.imports.undo(teamId, id);
  }

  private async refused(teamId: string, id: string): Promise<ImportResultView[]> {
    const refused: ImportResultView[] = [];
    for await (const piece of await this.imports.results(teamId, id, true)) {
      const lines = piece.split('\n').filter((line) => line !== '');
      refused.push(...lines.map((line) => JSON.parse(line) as ImportResultView));
      if (refused.length >= MOST_REFUSED) break;
    }
    return refused.slice(0, MOST_REFUSED);
  }

  private async campaignName(teamId: string, campaignId: string | null): Promise<string | null> {
    if (campaignId === null) return null;
    try {
      return (await this.campaigns.get(teamId, campaignId)).name;
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }
}
