import { Injectable } from '@nestjs/common';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { permitted } from '../../database/permitted.js';
import { team } from '../../database/team-scope.js';
import { query, Transactions } from '../../database/transactions.js';
import { type ChosenColumns, type PageReader } from '../../http/export.js';
import { FilterReader } from '../../http/filters.js';
import { type PageRequest } from '../../http/page.js';
import {
  type FittingRow,
  pageOfFitting,
  type Position,
  walk,
  type WalkedRow,
} from '../../lists/newest-first.js';
import { CampaignsService } from '../admin/campaigns.service.js';
import { shownWaitingFor } from '../definition/hold.js';
import {
  type CampaignResult,
  propertyColumns,
  RESULT_COLUMNS,
  RESULT_FIELDS,
} from './campaign-result.dto.js';
import {
  CAMPAIGN_RESULTS,
  RESULT_FILTER_COLUMNS,
  type ResultRow,
  WALK_RESULTS,
} from './campaign-results.sql.js';
import { RESULT_FILTERS, type ResultFilter } from './result-filters.js';

export { RESULT_COLUMNS, type ResultFilter };

const FROM_START: Position = { at: '00000000-0000-0000-0000-000000000000', key: '0' };

/** The results of a campaign, to be read page by page. */
export interface CampaignResults {
  chosen: ChosenColumns<CampaignResult>;
  page: PageReader<CampaignResult>;
}

/** Reads what has come of the enrollments of a campaign, in the order of their contacts. */
@Injectable()
export class CampaignResultsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly campaigns: CampaignsService,
  ) {}

  /**
   * Each statement needs a permit of the team, and none is held between two pages.
   *
   * @throws AppError `NOT_FOUND` for the team or the campaign, or `INVALID_REQUEST` naming every malformed parameter.
   */
  async of(
    teamId: string,
    campaignId: string,
    request: Pick<PageRequest<ResultFilter>, 'filters' | 'problems'>,
  ): Promise<CampaignResults> {
    const { id } = await this.campaigns.find(teamId, campaignId);
    const read = new FilterReader(RESULT_FILTERS, request);
    read.done();
    const properties = read.values.properties ?? [];
    const narrowed = RESULT_FILTER_COLUMNS.values(read.values);
    const own = permitted(this.semaphore, teamId, this.transactions.within(team(teamId)));
    const page: PageReader<CampaignResult> = async ({ limit, after }) => {
      const [at = FROM_START.at, key = FROM_START.key] = after ?? [];
      const walked = await walk({ limit }, { at, key }, (from, most) =>
        own.read<WalkedResult>(query(WALK_RESULTS, teamId, id, from.at, from.key, most, ...narrowed)),
      );
      const ids = walked.positions.map((row) => row.id);
      const rows = query(CAMPAIGN_RESULTS, teamId, id, ids, properties);
      return pageOfFitting(
        walked,
        await own.read<ResultRow & FittingRow & Record<string, unknown>>(rows),
        resultOf,
      );
    };
    return { chosen: propertyColumns(properties), page };
  }
}

type WalkedResult = WalkedRow & { id: string } & Record<string, unknown>;

/** Without the columns that only make the page. */
function resultOf({ hold, ...row }: ResultRow): CampaignResult {
  const isLive = row.status === 'active' || row.status === 'paused';
  const waitingFor = isLive ? shownWaitingFor(row.waitingFor, hold) : row.waitingFor;
  return Object.fromEntries(
    RESULT_FIELDS.map((name) => [name, name === 'waitingFor' ? waitingFor : row[name]]),
  ) as CampaignResult;
}
