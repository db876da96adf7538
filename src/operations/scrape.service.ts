import { Injectable } from '@nestjs/common';
import { query, Transactions } from '../database/transactions.js';
import { CALL_STATES, isFinal } from '../domain/call-states.js';
import { zoneData } from '../domain/zones/time-zone.js';
import { CallQueue } from '../queue/call-queue.js';
import { CampaignMetrics } from '../telemetry/campaign-metrics.js';
import { ImportMetrics, OPEN_IMPORT_STATES } from '../telemetry/import-metrics.js';
import { Metrics, RETAINED_TABLES } from '../telemetry/metrics.js';
import { RegisterMetrics } from '../telemetry/register-metrics.js';
import { WebhookMetrics } from '../telemetry/webhook-metrics.js';
import { Probe } from './probe.js';
import {
  CAMPAIGNS,
  type CampaignsRow,
  FAILING_WEBHOOKS,
  type FailingWebhooksRow,
  IMPORTS,
  type ImportsRow,
  OLDEST_ROWS,
  type OldestRow,
  OPEN_CALLS,
  type OpenCallsRow,
  OVERDUE,
  type OverdueRow,
  REAL_TIME,
  type RealTimeRow,
  type RegisterRow,
  REGISTERS,
  UNNUMBERED_EVENTS,
  type UnnumberedRow,
  WEBHOOKS,
  type WebhooksRow,
} from './scrape.sql.js';

// A scrape must not take long. Scrapes within `maxAgeMs` share one measurement.
const LIMITS = { timeoutMs: 1_500, maxAgeMs: 3_000 };

const OPEN_STATES = CALL_STATES.filter((state) => !isFinal(state));

interface Measured {
  overdue: OverdueRow | undefined;
  open: OpenCallsRow[];
  oldest: OldestRow[];
  unnumbered: UnnumberedRow | undefined;
  webhooks: WebhooksRow | undefined;
  failing: FailingWebhooksRow | undefined;
  clockOffsetSeconds: number;
  imports: ImportsRow | undefined;
  campaigns: CampaignsRow | undefined;
  registers: RegisterRow[];
}

/**
 * The metrics as Prometheus reads them. Postgres and Redis are measured when the metrics are read, at most
 * every few seconds. If a server does not answer, its gauges are left out and its `_up` is 0.
 */
@Injectable()
export class ScrapeService {
  private readonly database = new Probe(() => this.askDatabase(), LIMITS);
  private readonly queueCounts = new Probe(() => this.askQueue(), LIMITS);

  constructor(
    private readonly metrics: Metrics,
    private readonly transactions: Transactions,
    private readonly queue: CallQueue,
    private readonly webhookMetrics: WebhookMetrics,
    private readonly importMetrics: ImportMetrics,
    private readonly campaignMetrics: CampaignMetrics,
    private readonly registerMetrics: RegisterMetrics,
  ) {}

  /** The media type of {@link text}. */
  get contentType(): string {
    return this.metrics.registry.contentType;
  }

  async text(): Promise<string> {
    this.metrics.measured.zoneData.reset();
    this.metrics.measured.zoneData.set({ version: zoneData().version }, 1);
    await Promise.all([this.measureDatabase(), this.measureQueue()]);
    return this.metrics.registry.metrics();
  }

  private async measureDatabase(): Promise<void> {
    const { databaseUp, overdueSeconds, overdueCalls, waitingCalls, openCalls, oldestRow } =
      this.metrics.measured;
    const { unnumberedEvents, unnumberedSeconds, clockOffsetSeconds } = this.metrics.measured;
    const {
      overdueSeconds: webhookLag,
      disabledEndpoints,
      failingEndpoints,
      failingSeconds,
    } = this.webhookMetrics;
    const { open: openImports, idleSeconds } = this.importMetrics;
    const campaignBacklog = this.campaignMetrics;
    const found = await this.database.ask();
    databaseUp.set(found.kind === 'ok' ? 1 : 0);
    this.registerMetrics.ageSeconds.reset();
    this.registerMetrics.numbers.reset();
    if (found.kind !== 'ok') {
      const gauges = [
        overdueSeconds,
        overdueCalls,
        waitingCalls,
        unnumberedEvents,
        unnumberedSeconds,
        webhookLag,
        disabledEndpoints,
        failingEndpoints,
        failingSeconds,
        clockOffsetSeconds,
        idleSeconds,
        campaignBacklog.due,
        campaignBacklog.overdueSeconds,
        campaignBacklog.stalled,
      ];
      for (const gauge of gauges) gauge.remove();
      openCalls.reset();
      openImports.reset();
      oldestRow.reset();
      return;
    }
    const { overdue, open, oldest, unnumbered, webhooks, failing, imports, campaigns } = found.value;
    for (const status of OPEN_IMPORT_STATES) openImports.set({ status }, imports?.[status] ?? 0);
    idleSeconds.set(imports?.idle_seconds ?? 0);
    campaignBacklog.due.set(campaigns?.due ?? 0);
    campaignBacklog.overdueSeconds.set(campaigns?.seconds ?? 0);
    campaignBacklog.stalled.set(campaigns?.stalled ?? 0);
    unnumberedEvents.set(unnumbered?.events ?? 0);
    unnumberedSeconds.set(unnumbered?.seconds ?? 0);
    webhookLag.set(webhooks?.seconds ?? 0);
    disabledEndpoints.set(webhooks?.disabled ?? 0);
    failingEndpoints.set(failing?.endpoints ?? 0);
    failingSeconds.set(failing?.seconds ?? 0);
    clockOffsetSeconds.set(found.value.clockOffsetSeconds);
    overdueSeconds.set(overdue?.seconds ?? 0);
    overdueCalls.set(overdue?.calls ?? 0);
    waitingCalls.set(overdue?.waiting ?? 0);
    for (const status of OPEN_STATES) {
      openCalls.set({ status }, open.find((row) => row.status === status)?.calls ?? 0);
    }
    for (const { register, seconds, numbers } of found.value.registers) {
      this.registerMetrics.ageSeconds.set({ register }, seconds);
      this.registerMetrics.numbers.set({ register }, numbers);
    }
    for (const table of RETAINED_TABLES) {
      oldestRow.set({ table }, oldest.find((row) => row.name === table)?.seconds ?? 0);
    }
  }

  private async measureQueue(): Promise<void> {
    const { redisUp, queueJobs } = this.metrics.measured;
    const found = await this.queueCounts.ask();
    redisUp.set(found.kind === 'ok' ? 1 : 0);
    queueJobs.reset();
    if (found.kind !== 'ok') return;
    for (const [state, count] of Object.entries(found.value)) queueJobs.set({ state }, count);
  }

  private async askDatabase(): Promise<Measured> {
    const [
      [overdue],
      open,
      oldest,
      [unnumbered],
      [webhooks],
      [failing],
      [imports],
      [campaigns],
      registers,
      offset,
    ] = await Promise.all([
      this.transactions.read<OverdueRow & Record<string, unknown>>(query(OVERDUE)),
      this.transactions.read<OpenCallsRow & Record<string, unknown>>(query(OPEN_CALLS)),
      this.transactions.read<OldestRow & Record<string, unknown>>(query(OLDEST_ROWS)),
      this.transactions.read<UnnumberedRow & Record<string, unknown>>(query(UNNUMBERED_EVENTS)),
      this.transactions.read<WebhooksRow & Record<string, unknown>>(query(WEBHOOKS)),
      this.transactions.read<FailingWebhooksRow & Record<string, unknown>>(query(FAILING_WEBHOOKS)),
      this.transactions.read<ImportsRow & Record<string, unknown>>(query(IMPORTS)),
      this.transactions.read<CampaignsRow & Record<string, unknown>>(query(CAMPAIGNS)),
      this.transactions.read<RegisterRow & Record<string, unknown>>(query(REGISTERS)),
      this.clockOffset(),
    ]);
    const measured = { overdue, open, oldest, unnumbered, webhooks, failing, imports, campaigns, registers };
    return { ...measured, clockOffsetSeconds: offset };
  }

  /** The clock of this process less that of Postgres, in seconds. It is wrong by at most half of the round trip. */
  private async clockOffset(): Promise<number> {
    const sentAt = Date.now();
    const [row] = await this.transactions.read<RealTimeRow & Record<string, unknown>>(query(REAL_TIME));
    const middle = (sentAt + Date.now()) / 2;
    return row === undefined ? 0 : middle / 1_000 - row.seconds;
  }

  private async askQueue(): Promise<Record<string, number>> {
    if (!this.queue.available) throw new Error('Redis is not connected');
    return this.queue.counts();
  }
}
