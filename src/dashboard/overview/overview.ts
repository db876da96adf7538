import { type Hour } from '../design/chart.view.js';
import { type CallerIdRow } from './caller-ids.view.js';
import { type CampaignBacklogRow } from './campaign-backlog.view.js';
import { type CarrierAwayRow, type FailedImportRow } from './needs.sql.js';
import { type Counts } from './overview-counts.service.js';
import {
  type CountRow,
  type OverdueCountRow,
  type OverdueRow,
  type SweeperRow,
  type UnknownRow,
} from './overview.sql.js';
import { type DisabledEndpointRow, type FailingEndpointRow } from './webhook-endpoints.view.js';

/** The content of the overview, of one team or of all teams. */
export interface Overview {
  overdue: OverdueCountRow;
  overdueCalls: OverdueRow[];
  /** Calls that are claimed and have not ended. */
  underWay: CountRow[];
  counts: Counts;
  hours: Hour[];
  unknownCalls: UnknownRow[];
  failingEndpoints: FailingEndpointRow[];
  disabledEndpoints: DisabledEndpointRow[];
  /** Of one team. */
  callerIds: CallerIdRow[];
  sweepers: SweeperRow[];
  campaigns: CampaignBacklogRow[];
  /** Of the last days. */
  failedImports: FailedImportRow[];
  carriersAway: CarrierAwayRow[];
  /** Whether the team waits for its first request with a key. */
  waits: boolean;
}
