import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CarrierRegistry } from '../../carriers/carrier-registry.js';
import { HOURS_AHEAD } from '../calls/call-filters.js';
import { CALLS_BY_CALLER_ID, type CallerIdRow } from './caller-ids.view.js';
import { type PageRequest, type RefusedPage } from '../frame/form.js';
import { type PageElement } from '../../http/html-page.js';
import { CAMPAIGN_BACKLOG, type CampaignBacklogRow } from './campaign-backlog.view.js';
import { localHours, startOfDay } from '../design/local-time.js';
import { CARRIERS_AWAY, type CarrierAwayRow, FAILED_IMPORTS, type FailedImportRow } from './needs.sql.js';
import { OverviewCounts } from './overview-counts.service.js';
import { type Overview } from './overview.js';
import { overviewPage } from './overview.view.js';
import {
  type CountRow,
  OVERDUE,
  OVERDUE_COUNT,
  type OverdueCountRow,
  type OverdueRow,
  type SweeperRow,
  SWEEPERS,
  UNDER_WAY,
  UNKNOWN,
  type UnknownRow,
} from './overview.sql.js';
import { answerOf, type Frame, PageFrame } from '../frame/page-frame.service.js';
import {
  DISABLED_ENDPOINTS,
  type DisabledEndpointRow,
  FAILING_ENDPOINTS,
  type FailingEndpointRow,
} from './webhook-endpoints.view.js';

/** The first page: what operations staff watch. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly frames: PageFrame,
    private readonly counts: OverviewCounts,
    private readonly carriers: CarrierRegistry,
  ) {}

  /** @param waits whether the team waits for its first request with a key. */
  async page(request: PageRequest, waits = false): Promise<PageElement | RefusedPage> {
    const frame = await this.frames.tolerant(request);
    return answerOf(frame, overviewPage(frame, { ...(await this.read(frame)), waits }));
  }

  private async read({ now, team, zone }: Frame): Promise<Omit<Overview, 'waits'>> {
    const teamId = team?.id ?? null;
    const of = [now, teamId];
    const { starts, end } = localHours(zone, now, HOURS_AHEAD);
    const [
      overdue,
      overdueCalls,
      underWay,
      counts,
      unknownCalls,
      failingEndpoints,
      disabledEndpoints,
      sweepers,
      callerIds,
      campaigns,
      failedImports,
      carriersAway,
    ] = await Promise.all([
      this.dataSource.query<OverdueCountRow[]>(OVERDUE_COUNT, of),
      this.dataSource.query<OverdueRow[]>(OVERDUE, of),
      this.dataSource.query<CountRow[]>(UNDER_WAY, of),
      this.counts.of({ now, teamId, since: startOfDay(zone, now), starts, end }),
      this.dataSource.query<UnknownRow[]>(UNKNOWN, of),
      this.dataSource.query<FailingEndpointRow[]>(FAILING_ENDPOINTS, [teamId]),
      this.dataSource.query<DisabledEndpointRow[]>(DISABLED_ENDPOINTS, [teamId]),
      this.dataSource.query<SweeperRow[]>(SWEEPERS),
      team === null ? [] : this.dataSource.query<CallerIdRow[]>(CALLS_BY_CALLER_ID, [team.id, now]),
      this.dataSource.query<CampaignBacklogRow[]>(CAMPAIGN_BACKLOG, of),
      this.dataSource.query<FailedImportRow[]>(FAILED_IMPORTS, of),
      this.dataSource.query<CarrierAwayRow[]>(CARRIERS_AWAY, [...of, this.carriers.defaultName]),
    ]);
    const callsIn = new Map(counts.upcoming.map(({ hour, calls }) => [hour, calls]));
    return {
      overdue: overdue[0] ?? { calls: 0, paused: 0, oldest: null },
      overdueCalls,
      underWay,
      counts,
      hours: starts.map((start, index) => ({ start, calls: callsIn.get(index + 1) ?? 0 })),
      unknownCalls,
      failingEndpoints,
      disabledEndpoints,
      callerIds,
      sweepers,
      campaigns,
      failedImports,
      carriersAway,
    };
  }
}
