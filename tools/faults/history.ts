import { type DialRecord } from '../../src/carriers/simulator/dial-log.js';
import { type CampaignHistory } from './campaign-history.js';
import { type EventHistory } from './event-history.js';
import { type PackHours } from './pack-windows.js';
import { type WebhookHistory } from './webhook-history.js';
import { type Violation } from './violation.js';

/** One request to the call endpoint, and what was answered. */
export interface TriggerRecord {
  teamId: string;
  phoneNumber: string;
  /** Milliseconds from the request to the answer, or to its failure. */
  ms: number;
  /** null: there was no answer, as when the API was killed. */
  status: number | null;
  reason: string | null;
  callRequestId: string | null;
}

/** A call request as Postgres has it in the end. Instants are milliseconds by Postgres' clock. */
export interface CallRecord {
  id: string;
  teamId: string;
  agentId: string;
  phoneNumber: string;
  status: string;
  /** Whether the request that placed it was not refused. */
  wasAccepted: boolean;
  claimedAt: number | null;
  /** null once the call does not count as processed. */
  processedAt: number | null;
  /** The enrollment that it was claimed for; null for a call that was triggered. */
  enrollmentId: string | null;
  endedAt: number | null;
  /** When its end was recorded; null for one that has not ended. */
  overAt: number | null;
  /** Whether the carrier's report of its end has a result that opts out. */
  reportedOptOut: boolean;
  /** When it first was over or `dial_unknown`: from then on it may not count as under way. */
  activeUntil: number | null;
}

/** An addition to a Do Not Call list. */
export interface DoNotCallRecord {
  teamId: string;
  phoneNumber: string;
  /** When its transaction was committed, in milliseconds by Postgres' clock. */
  committedAt: number;
}

/** A result that opts out, whose answer was 200, 400 or 409. */
export interface OptOutRecord {
  callRequestId: string;
  /** When the answer was there, by the clock of the machine, which is Postgres', too. */
  answeredAt: number;
}

/** null is no limit; the three per number are for rolling 1, 7 and 30 days. */
export interface TeamLimits {
  monthly: number | null;
  daily: number | null;
  weekly: number | null;
  monthlyPerNumber: number | null;
}

export interface CrashRecord {
  /** Of the process, such as `worker-1`. */
  name: string;
  /** The exit code, or the signal. */
  end: number | NodeJS.Signals;
}

/**
 * All that is known of a run: what was asked, what Postgres says, and what the carrier's own log says was
 * dialed.
 */
export interface History {
  triggers: TriggerRecord[];
  calls: CallRecord[];
  dials: DialRecord[];
  doNotCall: DoNotCallRecord[];
  optOuts: OptOutRecord[];
  limits: ReadonlyMap<string, TeamLimits>;
  /** When each agent may dial, as `[from, to)` in milliseconds; an agent that is not here may always. */
  openings: ReadonlyMap<string, readonly (readonly [number, number])[]>;
  /** By team: when its packs allow calls, by the clock of the called person. A team without packs is not here. */
  packHours: ReadonlyMap<string, PackHours>;
  campaigns: CampaignHistory;
  /** null: no feed was read. */
  events: EventHistory | null;
  /** null: no endpoint was registered. */
  webhooks: WebhookHistory | null;
  /** What did not move in time while no fault happened. */
  late: readonly Violation[];
  /** Processes of the product that ended although no fault ended them. */
  crashes: readonly CrashRecord[];
}
