import { Injectable } from '@nestjs/common';
import { AppError } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { ImportsService } from '../../imports/imports.service.js';
import { HeldImports } from '../../imports/upload/held-imports.service.js';
import { type PageRequest, Redirect, RefusedPage } from '../frame/form.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { columnField, COLUMNS_SHOWN, previewPage } from './preview.view.js';
import { TARGET_WORDS } from './target-words.js';

/** How many rows a preview looks at; `all`: of a file that is not larger than this. */
const LOOKED_AT = 2_000;
const MOST_LOOKED_AT = 100_000;

/** The preview of a file: what its columns are, and what the import would do. */
@Injectable()
export class PreviewService {
  constructor(
    private readonly frames: PageFrame,
    private readonly held: HeldImports,
    private readonly imports: ImportsService,
  ) {}

  /** The preview, or the way to the page of an import that is not held any more. @throws AppError `NOT_FOUND`. */
  async page(request: PageRequest, teamId: string, id: string): Promise<PageElement | Redirect> {
    try {
      return await this.shown(request, teamId, id, {}, {});
    } catch (error) {
      if (error instanceof AppError && error.code === 'CONFLICT' && error.message.includes('held'))
        return new Redirect(`/t/${teamId}/imports/${id}`);
      throw error;
    }
  }

  /**
   * Changes what the columns are, and starts the import if that was asked for and nothing changed.
   *
   * @param sent what was chosen, by the names of the fields.
   */
  async change(
    request: PageRequest,
    teamId: string,
    id: string,
    sent: ReadonlyMap<string, string>,
  ): Promise<'started' | 'changed' | 'same' | RefusedPage> {
    const columns = await this.held.columns(teamId, id);
    const targets = (columns ?? []).map((_, at) => sent.get(columnField(at)));
    try {
      const { changed } = await this.held.map(teamId, id, targets);
      if (changed) return 'changed';
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'INVALID_REQUEST') throw error;
      return new RefusedPage(
        await this.shown(request, teamId, id, errorsOf(error), Object.fromEntries(sent)),
      );
    }
    if (sent.get('act') !== 'start') return 'same';
    await this.imports.start(teamId, id);
    return 'started';
  }

  private async shown(
    request: PageRequest,
    teamId: string,
    id: string,
    errors: FieldErrors,
    chosen: Record<string, string>,
  ): Promise<PageElement> {
    const frame = await this.frames.of(request);
    const most = request.parameter('rows') === 'all' ? MOST_LOOKED_AT : LOOKED_AT;
    const look = await this.held.look(teamId, id, most);
    const asked = Number(request.parameter('from') ?? 0);
    const from = Number.isSafeInteger(asked) && asked > 0 ? asked - (asked % COLUMNS_SHOWN) : 0;
    const canLookAtAll = most === LOOKED_AT && look.held.rows > LOOKED_AT && look.held.rows <= MOST_LOOKED_AT;
    return previewPage(frame, {
      ...look,
      lookedAt: Math.min(most, look.held.rows),
      canLookAtAll,
      from,
      errors,
      chosen,
    });
  }
}

function errorsOf({ problems }: AppError): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of problems) {
    if (path === 'missing') {
      const field = TARGET_WORDS[message as keyof typeof TARGET_WORDS];
      errors[columnField(0)] ??= `Choose the column that is the ${field.toLowerCase()}.`;
    } else errors[columnField(/^\d+$/.test(path) ? Number(path) : 0)] ??= `${message}.`;
  }
  return errors;
}
