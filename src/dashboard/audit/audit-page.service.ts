import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditList, type AuditRow } from '../../audit/audit-list.service.js';
import { invalid } from '../../http/app-error.js';
import { type PageReader } from '../../http/export.js';
import { type Page } from '../../http/page.js';
import { isUuid } from '../../http/validators.js';
import { dayIn } from '../design/local-time.js';
import { type PageRequest } from '../frame/form.js';
import { listPage } from '../frame/list-page.js';
import { answerOf, type Frame, PageFrame, readOrRefuse } from '../frame/page-frame.service.js';
import { auditPage, type SentAuditFilters } from './audit.view.js';

const ROWS_A_PAGE = 50;

/** The columns of the file. */
export const DOWNLOAD_COLUMNS = [
  'at',
  'actorKind',
  'actorName',
  'actorId',
  'address',
  'teamId',
  'action',
  'targetType',
  'targetId',
  'before',
  'after',
] as const satisfies (keyof AuditRow)[];

/** $1 ids. */
const EMAILS = 'SELECT id, email FROM users WHERE id = ANY ($1::uuid[])';

/** The audit log of one team or of all. */
@Injectable()
export class AuditPageService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly frames: PageFrame,
    private readonly log: AuditList,
  ) {}

  async page(request: PageRequest) {
    const sent = sentFilters(request);
    const asked = await this.frames.tolerant(request, undefined, { anyTeam: true });
    const [frame, rows] = await readOrRefuse(asked, null, () =>
      this.read(asked, sent, request.parameter('cursor')),
    );
    const emails = await this.emailsOf(rows?.items ?? []);
    return answerOf(frame, auditPage(frame, { sent, rows, emails }));
  }

  /** Reads the pages of the same list for a file. @throws AppError `INVALID_REQUEST` naming what is refused. */
  async download(request: PageRequest): Promise<PageReader<AuditRow>> {
    const frame = await this.frames.of(request);
    const filters = filtersOf(frame, sentFilters(request));
    return (part) => this.log.list({ ...part, filters });
  }

  private async read(frame: Frame, sent: SentAuditFilters, cursor: string | null): Promise<Page<AuditRow>> {
    return this.log.list(listPage(ROWS_A_PAGE, cursor, filtersOf(frame, sent)));
  }

  /** The people that rows are about. */
  private async emailsOf(rows: readonly AuditRow[]): Promise<ReadonlyMap<string, string>> {
    const ids = rows.flatMap(({ targetType, targetId }) =>
      ['user', 'membership', 'session', 'access_link'].includes(targetType) && isUuid(targetId)
        ? [targetId]
        : [],
    );
    if (ids.length === 0) return new Map();
    const found = await this.dataSource.query<{ id: string; email: string }[]>(EMAILS, [ids]);
    return new Map(found.map(({ id, email }) => [id, email]));
  }
}

function sentFilters(request: PageRequest): SentAuditFilters {
  const sent = (name: string) => request.parameter(name) ?? undefined;
  return {
    action: sent('action'),
    actor: sent('actor'),
    target: sent('target'),
    from: sent('from'),
    to: sent('to'),
  };
}

/** Days are those of the page's zone; the last one is included. @throws AppError `INVALID_REQUEST` for a day. */
function filtersOf({ team, zone }: Frame, { from, to, ...sent }: SentAuditFilters): Record<string, string> {
  const day = (name: string, text: string | undefined) => {
    if (text === undefined) return undefined;
    const found = dayIn(zone, text);
    if (found === null) throw invalid(`${name} must be a day, such as 2026-11-20`);
    return found;
  };
  const filters = {
    ...sent,
    teamId: team?.id,
    from: day('from', from)?.from.toISOString(),
    to: day('to', to)?.to.toISOString(),
  };
  return Object.fromEntries(
    Object.entries(filters).filter((filter): filter is [string, string] => filter[1] !== undefined),
  );
}
