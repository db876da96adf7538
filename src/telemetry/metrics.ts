import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The step at which a call is decided: the trigger, or the firing of a due call. */
export type DecisionStep = 'trigger' | 'fire';

/** The carrier's answer to a dial; `not_dialed`: no request was sent. */
export type DialOutcome = 'accepted' | 'refused' | 'throttled' | 'unreachable' | 'unknown' | 'not_dialed';

/** What the sweeper repairs. */
export type RepairKind = 'woken' | 'expired' | 'unknown' | 'resolved';

/** Tables whose rows are removed after some time. */
const CALL_TABLES = ['call_requests', 'call_details'] as const;
const EVENT_TABLES = ['events', 'webhook_deliveries'] as const;
export const RETAINED_TABLES = [...CALL_TABLES, ...EVENT_TABLES, 'idempotency_keys'] as const;
export type RetainedTable = (typeof RETAINED_TABLES)[number];

// Seconds.
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const DIAL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const LATENESS_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600];

/**
 * The metrics of a process. The methods are named by what happened, not by the metrics. Labels are bounded:
 * route patterns, reasons, states and configured names, never a phone number, a team or an id. Each instance
 * has its own registry, so that a test can run two applications in one process.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly registers = [this.registry];

  private readonly requests = new Counter({
    name: 'outdial_http_requests_total',
    help: 'Requests answered, by route pattern and status; 499: the client left before the answer.',
    labelNames: ['method', 'route', 'status'] as const,
    registers: this.registers,
  });
  private readonly requestSeconds = new Histogram({
    name: 'outdial_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['method', 'route'] as const,
    buckets: REQUEST_BUCKETS,
    registers: this.registers,
  });
  private readonly decisions = new Counter({
    name: 'outdial_decisions_total',
    help: 'What was decided about calls, at the trigger and at the firing; rule is the one that refused, or none.',
    labelNames: ['step', 'outcome', 'rule'] as const,
    registers: this.registers,
  });
  private readonly verdicts = new Counter({
    name: 'outdial_compliance_verdicts_total',
    help: 'Decisions about calls that a rule of a pack refuses, would refuse (warn), or leaves to a consent (lifted).',
    labelNames: ['rule', 'verdict'] as const,
    registers: this.registers,
  });
  private readonly dials = new Counter({
    name: 'outdial_dials_total',
    help: 'Claimed calls by the answer of the carrier to the dial.',
    labelNames: ['carrier', 'outcome'] as const,
    registers: this.registers,
  });
  private readonly dialSeconds = new Histogram({
    name: 'outdial_dial_duration_seconds',
    help: 'Time that carriers took to answer a dial.',
    labelNames: ['carrier'] as const,
    buckets: DIAL_BUCKETS,
    registers: this.registers,
  });
  private readonly outcomes = new Counter({
    name: 'outdial_call_outcomes_total',
    help: 'Transitions of claimed calls into a final state or dial_unknown.',
    labelNames: ['status'] as const,
    registers: this.registers,
  });
  private readonly reportsRefused = new Counter({
    name: 'outdial_carrier_reports_refused_total',
    help: 'Signed reports of carriers about calls that are unknown, or not of this carrier.',
    labelNames: ['carrier'] as const,
    registers: this.registers,
  });
  private readonly unknownWords = new Counter({
    name: 'outdial_carrier_unknown_words_total',
    help: 'Reports of an end of a call whose reason this version does not know.',
    labelNames: ['carrier'] as const,
    registers: this.registers,
  });
  private readonly platformErasures = new Counter({
    name: 'outdial_platform_erasures_total',
    help: 'Attempts to erase calls of erased persons at platforms of voice agents: erased, not_found, failed.',
    labelNames: ['carrier', 'result'] as const,
    registers: this.registers,
  });
  private readonly lateness = new Histogram({
    name: 'outdial_call_lateness_seconds',
    help: 'From the instant at which a call should run to its claim, both by the clock of Postgres.',
    labelNames: ['status'] as const,
    buckets: LATENESS_BUCKETS,
    registers: this.registers,
  });
  private readonly repairs = new Counter({
    name: 'outdial_sweeper_repairs_total',
    help: 'Calls that the sweeper repaired, by kind: woken, expired, unknown, resolved.',
    labelNames: ['kind'] as const,
    registers: this.registers,
  });
  private readonly sweeps = new Counter({
    name: 'outdial_sweeper_runs_total',
    help: 'Successful searches for lost wake-ups, and failed runs of any repair or of the removal of old events.',
    labelNames: ['result'] as const,
    registers: this.registers,
  });
  private readonly unconfirmed = new Counter({
    name: 'outdial_wake_ups_unconfirmed_total',
    help: 'Wake-ups that Redis did not confirm; the sweeper sends them again.',
    registers: this.registers,
  });
  private readonly removedRows = new Counter({
    name: 'outdial_retention_removed_rows_total',
    help: 'Rows that were removed at the end of their retention, by table.',
    labelNames: ['table'] as const,
    registers: this.registers,
  });
  private readonly numberedEvents = new Counter({
    name: 'outdial_events_numbered_total',
    help: 'Events that were numbered, so that readers see them.',
    registers: this.registers,
  });
  private readonly rateLimited = new Counter({
    name: 'outdial_rate_limited_total',
    help: 'Requests refused by the API rate limit.',
    registers: this.registers,
  });
  private readonly rateLimiterOpen = new Counter({
    name: 'outdial_rate_limiter_failed_open_total',
    help: 'Requests that the process counted in local buckets, because Redis did not answer the rate limiter in time.',
    registers: this.registers,
  });

  /** `ScrapeService` measures these values and sets them when the metrics are read. */
  readonly measured = {
    databaseUp: this.gauge('outdial_database_up', 'Whether Postgres answered when last asked.'),
    zoneData: this.gauge(
      'outdial_tzdata_info',
      'Always 1: the version of the zone data of the process.',
      'version',
    ),
    redisUp: this.gauge('outdial_redis_up', 'Whether Redis answered when last asked.'),
    overdueSeconds: this.gauge(
      'outdial_overdue_seconds',
      'How long the oldest pending call is past its time, by the clock of Postgres; paused calls do not count.',
    ),
    overdueCalls: this.gauge('outdial_overdue_calls', 'Pending calls past their time.'),
    waitingCalls: this.gauge(
      'outdial_waiting_calls',
      'Due calls that wait for a concurrency slot of their team; they are not overdue.',
    ),
    openCalls: this.gauge('outdial_calls', 'Call requests that have not ended, by status.', 'status'),
    oldestRow: this.gauge(
      'outdial_retention_oldest_row_age_seconds',
      'Age of the oldest row of a table from which rows are removed after some time; of a call, since its end.',
      'table',
    ),
    unnumberedEvents: this.gauge(
      'outdial_events_unnumbered',
      'Events that readers do not see yet; 10,000 stands for any number from there on.',
    ),
    unnumberedSeconds: this.gauge(
      'outdial_events_unnumbered_seconds',
      'Age of the oldest event that readers do not see yet.',
    ),
    clockOffsetSeconds: this.gauge(
      'outdial_clock_offset_seconds',
      'How far the clock of this process is ahead of the clock of Postgres; negative if it is behind.',
    ),
    queueJobs: this.gauge('outdial_queue_jobs', 'Wake-ups in Redis, by state.', 'state'),
  };

  constructor() {
    // Series begin with 0: an alert cannot see the first increase of a series that did not exist before.
    for (const kind of ['woken', 'expired', 'unknown', 'resolved']) this.repairs.inc({ kind }, 0);
    for (const result of ['ok', 'failed']) this.sweeps.inc({ result }, 0);
    for (const table of RETAINED_TABLES) this.removedRows.inc({ table }, 0);
  }

  /**
   * Adds prom-client's metrics of the process itself: CPU, memory, garbage collection, event loop. The entry
   * point invokes this once: Node keeps the observers, and with them this registry, until the process ends.
   */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  requestAnswered(method: string, route: string, status: number, seconds: number): void {
    this.requests.inc({ method, route, status });
    this.requestSeconds.observe({ method, route }, seconds);
  }

  /** @param rule the reason of a refusal, or why nothing was done. */
  decided(step: DecisionStep, outcome: string, rule = 'none'): void {
    this.decisions.inc({ step, outcome, rule });
  }

  /** Counts what rules of packs say in a decision, by their ids. */
  judged(verdicts: Readonly<Record<string, string>> | undefined): void {
    for (const [rule, verdict] of Object.entries(verdicts ?? {})) {
      if (verdict !== 'allow') this.verdicts.inc({ rule, verdict });
    }
  }

  /** Counts a decision that failed, and throws its error again. For `catch`. */
  readonly undecided =
    (step: DecisionStep) =>
    (error: unknown): never => {
      this.decided(step, 'failed');
      throw error;
    };

  /** @param seconds how long the carrier took; left out if no request was sent. */
  dialed(carrier: string, outcome: DialOutcome, seconds?: number): void {
    this.dials.inc({ carrier, outcome });
    if (seconds !== undefined) this.dialSeconds.observe({ carrier }, seconds);
  }

  callTransitioned(status: string): void {
    this.outcomes.inc({ status });
  }

  /** A report was authentic, but named no call of its carrier. */
  reportRefused(carrier: string): void {
    this.reportsRefused.inc({ carrier });
  }

  /** A carrier said for which reason a call ended, and this version does not know the reason. */
  unknownWord(carrier: string): void {
    this.unknownWords.inc({ carrier });
  }

  /** An attempt to erase the call of an erased person at its platform. */
  erasedAtPlatform(carrier: string, result: 'erased' | 'not_found' | 'failed'): void {
    this.platformErasures.inc({ carrier, result });
  }

  /** @param status the call's state before the claim: `scheduled` or `queued`. */
  claimed(status: string, secondsLate: number): void {
    this.lateness.observe({ status }, Math.max(0, secondsLate));
  }

  /** The sweeper has looked for lost wake-ups. */
  swept(): void {
    this.sweeps.inc({ result: 'ok' });
  }

  repaired(repaired: Partial<Record<RepairKind, number>>): void {
    for (const [kind, count] of Object.entries(repaired)) this.repairs.inc({ kind }, count);
  }

  eventsNumbered(events: number): void {
    this.numberedEvents.inc(events);
  }

  rowsRemoved(table: RetainedTable, rows: number): void {
    this.removedRows.inc({ table }, rows);
  }

  sweepFailed(): void {
    this.sweeps.inc({ result: 'failed' });
  }

  wakeUpsUnconfirmed(count = 1): void {
    this.unconfirmed.inc(count);
  }

  requestRateLimited(): void {
    this.rateLimited.inc();
  }

  rateLimiterFailedOpen(): void {
    this.rateLimiterOpen.inc();
  }

  private gauge(name: string, help: string, ...labelNames: string[]): Gauge {
    return new Gauge({ name, help, labelNames, registers: this.registers });
  }
}
