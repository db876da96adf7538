import { Injectable } from '@nestjs/common';
import { CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { mayDo } from '../../domain/permissions.js';
import { AppError } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { type UploadedForm } from '../../http/multipart.js';
import { isUuid } from '../../http/validators.js';
import { ImportIntake } from '../../imports/upload/intake.service.js';
import { type Option } from '../design/form-field.view.js';
import { type PageRequest, RefusedPage } from '../frame/form.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { listPage } from '../frame/list-page.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { newImportPage, type TypedImport } from './new-import.view.js';

/** The most campaigns of which one is chosen. */
const MOST_CAMPAIGNS = 100;

const UNTYPED: TypedImport = { type: 'contacts', campaignId: '', mode: 'upsert' };

/** The fields by the parameters that a refusal of the upload names. */
const REFUSED_FIELD = /^(type|mode|campaignId)\b/;
const OF_CAMPAIGN = /^Campaign\b|\bcampaign\b/i;

/** Uploads a file for a preview, as an import that is held. */
@Injectable()
export class NewImportService {
  constructor(
    private readonly frames: PageFrame,
    private readonly campaigns: CampaignsService,
    private readonly intake: ImportIntake,
  ) {}

  page(request: PageRequest, teamId: string): Promise<PageElement> {
    return this.shown(request, teamId, { ...UNTYPED, campaignId: request.parameter('campaignId') ?? '' }, {});
  }

  /**
   * Stores the file of a form as it arrives.
   *
   * @param form null: it was sent without a file. @returns the import's id, or the page with what was refused.
   */
  async upload(
    request: PageRequest,
    teamId: string,
    form: UploadedForm | null,
  ): Promise<string | RefusedPage> {
    const typed = typedOf(form);
    const refused = async (errors: FieldErrors) => {
      await form?.drop();
      return new RefusedPage(await this.shown(request, teamId, typed, errors));
    };
    // As with a key, these files need both permissions.
    if (typed.type !== 'contacts' && !mayDo(request.role, 'suppressions.change')) {
      await form?.drop();
      throw new AppError('FORBIDDEN', `Your role cannot import ${typed.type}`);
    }
    const file = form?.file ?? null;
    if (file === null || file.name === '') return refused({ file: 'Choose a file.' });
    const formats = formatsOf(file.name);
    if (formats === null)
      return refused({
        file: 'The file must be CSV or NDJSON. Save a spreadsheet as CSV, and choose that file.',
      });
    const ofContacts = typed.type === 'contacts' ? { campaignId: typed.campaignId, mode: typed.mode } : {};
    try {
      const options = { type: typed.type, ...ofContacts, hold: 'true' };
      return await this.intake.take(teamId, options, formats, file.pieces, { isGuessed: true });
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
      return refused(errorsOf(error));
    }
  }

  private async shown(
    request: PageRequest,
    teamId: string,
    typed: TypedImport,
    errors: FieldErrors,
  ): Promise<PageElement> {
    const [frame, campaigns] = await Promise.all([
      this.frames.of(request),
      this.choices(teamId, typed.campaignId),
    ]);
    return newImportPage(frame, { campaigns, typed, errors });
  }

  private async choices(teamId: string, chosen: string): Promise<Option[]> {
    const { items } = await this.campaigns.list(teamId, listPage(MOST_CAMPAIGNS, null));
    const open = items.filter(({ status }) => status !== 'archived');
    const isListed = chosen === '' || open.some(({ id }) => id === chosen);
    const other = isListed || !isUuid(chosen) ? [] : await this.campaignOf(teamId, chosen);
    return [...other, ...open].map(({ id, name, status }) => [
      id,
      status === 'active' ? name : `${name} (${status})`,
    ]);
  }

  private async campaignOf(teamId: string, id: string) {
    try {
      return [await this.campaigns.get(teamId, id)];
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return [];
      throw error;
    }
  }
}

function typedOf(form: UploadedForm | null): TypedImport {
  const { type, mode } = UNTYPED;
  return {
    type: form?.fields.get('type') ?? type,
    campaignId: form?.fields.get('campaignId') ?? '',
    mode: form?.fields.get('mode') ?? mode,
  };
}

/** What a file is by its name; null: it cannot be read. */
function formatsOf(name: string): { format: 'csv' | 'ndjson'; isCompressed: boolean } | null {
  const [, ending = '', gzip] = /\.([a-z]+)(\.gz)?$/i.exec(name) ?? [];
  const isCompressed = gzip !== undefined;
  if (/^(?:csv|tsv|txt)$/i.test(ending)) return { format: 'csv', isCompressed };
  return /^(?:ndjson|jsonl)$/i.test(ending) ? { format: 'ndjson', isCompressed } : null;
}

function errorsOf({ message, problems }: AppError): FieldErrors {
  const errors: FieldErrors = {};
  for (const problem of problems) {
    const [, field] = REFUSED_FIELD.exec(problem.path) ?? [];
    const at = field ?? (OF_CAMPAIGN.test(problem.message) ? 'campaignId' : 'file');
    errors[at] ??=
      `${problem.message.replace(/\b\d{5,}\b/g, (digits) => Number(digits).toLocaleString('en-US'))}.`;
  }
  return Object.keys(errors).length > 0 ? errors : { file: `${message}.` };
}
