import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { teams } from '../../../database/team-scope.js';
import { type Query, query, Transactions } from '../../../database/transactions.js';
import { StoredSecrets } from '../../../secrets/stored-secrets.js';
import { describeError } from '../../../telemetry/describe-error.js';
import { WebhookMetrics } from '../../../telemetry/webhook-metrics.js';
import { type EventRow } from '../../feed/event.sql.js';
import { placeOf } from '../sealed-columns.js';
import { readWebhookUrl } from '../webhook-url.js';
import { type AttemptAnswer, type AttemptResult, resultOf } from './attempt.js';
import {
  CLAIM,
  type ClaimedRow,
  type DisabledRow,
  FINISH,
  type PositionedEventRow,
  READ_CLAIMED,
} from './attempts.sql.js';
import { envelopeOf } from './envelope.js';
import { FailureLog } from './failure-log.js';
import { Lanes, type Wanted } from './lanes.js';
import { Poster } from './poster.js';
import { READ_REAL_TIME, RealTime, type RealTimeRow } from './real-time.js';
import { signedHeaders } from './sign.js';

/** The timeout of a whole request, in milliseconds. */
const TIMEOUT_MS = 15_000;

/** The lease of a claim, in milliseconds: enough for the request and for recording its result. */
export const LEASE_MS = 45_000;

/** The most requests in flight. Each keeps one event in memory; few events exceed some kilobytes. */
const CAPACITY = 500;

/** The pause after a cycle whose transaction failed, in milliseconds. */
const RETRY_MS = 500;

/** How long a stopping process waits for the requests in flight, in milliseconds. */
const STOP_MS = 5_000;

/**
 * Sends due deliveries, in cycles. In a cycle, one transaction records the results of ended requests and
 * claims deliveries, as {@link Lanes} allows. A request then begins for each claimed delivery. The next cycle
 * records the results of the requests that end during this one.
 */
@Injectable()
export class DeliveryService {
  private readonly logger = new Logger(DeliveryService.name);
  private readonly lanes = new Lanes(CAPACITY);
  private readonly poster: Poster;
  private readonly realTime = new RealTime();
  private readonly failures = new FailureLog();
  private readonly requests = new Set<Promise<void>>();
  private results: AttemptResult[] = [];
  private cycles: Promise<void> | null = null;
  /** Whether there may be work that no cycle has seen. */
  private hasNewWork = false;
  private isStopping = false;

  constructor(
    private readonly transactions: Transactions,
    private readonly config: Config,
    private readonly metrics: WebhookMetrics,
    private readonly secrets: StoredSecrets,
  ) {
    this.poster = new Poster(this.rules, TIMEOUT_MS);
  }

  /** Notes that an endpoint may have due deliveries, and returns at once. */
  wake(endpointId: string, teamId: string): void {
    if (this.isStopping) return;
    this.lanes.wake(endpointId, teamId);
    this.run();
  }

  /** Waits until no request is in flight and no cycle runs. */
  async settled(): Promise<void> {
    while (this.cycles !== null || this.requests.size > 0) {
      await this.cycles;
      await Promise.allSettled(this.requests);
    }
  }

  /** Waits up to {@link STOP_MS} for requests in flight. Ends those that remain and releases their claims. */
  async stop(): Promise<void> {
    this.isStopping = true;
    const ended = Promise.allSettled(this.requests);
    await Promise.race([ended, pause(STOP_MS, undefined, { ref: false })]);
    this.poster.close();
    this.run();
    await this.settled();
  }

  private get rules() {
    return { allowPrivate: this.config.webhooksAllowPrivate };
  }

  private run(): void {
    this.hasNewWork = true;
    this.cycles ??= this.runCycles().finally(() => {
      this.cycles = null;
      // If work arrived after the last cycle had ended and before this callback, another run begins.
      if (this.hasNewWork) this.run();
    });
  }

  private async runCycles(): Promise<void> {
    for (;;) {
      this.hasNewWork = false;
      const wanted = this.isStopping ? [] : this.lanes.wanted();
      const results = this.results.splice(0);
      if (wanted.length === 0 && results.length === 0) return;
      try {
        this.begin(wanted, await this.exchange(results, wanted));
      } catch (error) {
        this.logger.error(`cycle failed: ${describeError(error)}`);
        // The transaction may have been committed nevertheless. Its claims then end with their leases. The
        // results are sent again, and the database ignores each result that it has already recorded.
        this.results.unshift(...results);
        for (const one of wanted) this.lanes.claimed(one, null);
        if (this.isStopping) return;
        await pause(RETRY_MS);
      }
    }
  }

  /** Records results and claims deliveries, in one transaction. @throws the database's error. */
  private async exchange(results: AttemptResult[], wanted: Wanted[]): Promise<Claimed[]> {
    const opening: Query[] = [];
    if (results.length > 0) opening.push(finishing(results));
    if (wanted.length > 0) opening.push(claiming(wanted), query(READ_REAL_TIME));
    const { disabled, claimed } = await this.transactions.run(opening, (answers) => {
      const disabled = (results.length > 0 ? answers[0]?.rows : []) as DisabledRow[];
      const rows = (wanted.length > 0 ? answers.at(-2)?.rows : []) as ClaimedRow[];
      const [time] = (wanted.length > 0 ? answers.at(-1)?.rows : []) as RealTimeRow[];
      const now = time === undefined ? () => new Date() : this.realTime.noted(time);
      return {
        commit: reading(rows),
        value: (read) => ({ disabled, claimed: withEvents(rows, now, read.at(-1)?.rows) }),
      };
    });
    for (const { outcome } of results) this.metrics.attempted(outcome);
    for (const { endpoint_id: endpointId, team_id: teamId, reason } of disabled) {
      this.logger.error({ message: 'webhook endpoint disabled', endpointId, teamId, reason });
    }
    return claimed;
  }

  private begin(wanted: Wanted[], claimed: Claimed[]): void {
    const found = new Map<string, number>();
    for (const { row } of claimed) found.set(row.endpoint_id, (found.get(row.endpoint_id) ?? 0) + 1);
    for (const one of wanted) this.lanes.claimed(one, found.get(one.endpointId) ?? 0);
    for (const one of claimed) {
      const request: Promise<void> = this.deliver(one).finally(() => {
        this.requests.delete(request);
        this.run();
      });
      this.requests.add(request);
    }
  }

  /** Makes one attempt. Never throws. */
  private async deliver(claimed: Claimed): Promise<void> {
    const { row } = claimed;
    const startedAt = performance.now();
    let answer: AttemptAnswer;
    try {
      answer = await this.send(claimed);
    } catch (error) {
      this.logger.error({ message: `not sent: ${describeError(error)}`, deliveryId: row.id });
      answer = { kind: 'error', error: 'internal' };
    }
    const result = resultOf(row, answer, performance.now() - startedAt);
    this.metrics.took(result.durationMs / 1_000);
    this.results.push(result);
    this.lanes.ended(row.endpoint_id, result.outcome === 'delivered');
    if (result.outcome !== 'delivered') this.logFailure(row, result);
  }

  private async send({ row, event, now }: Claimed): Promise<AttemptAnswer> {
    if (this.isStopping) return { kind: 'error', error: 'stopped' };
    const envelope = envelopeOf(row, event);
    if (envelope === null) return { kind: 'error', error: 'removed' };
    const read = readWebhookUrl(row.url, this.rules);
    if (!read.ok) return { kind: 'error', error: 'address_not_allowed' };
    const body = JSON.stringify(envelope);
    const place = placeOf(row.endpoint_id);
    const secrets = row.secrets.map((stored) => this.secrets.open(stored, place));
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Outdial',
      accept: '*/*',
      ...signedHeaders(envelope.id, body, secrets, now()),
    };
    return this.poster.post(read.url, headers, Buffer.from(body));
  }

  /**
   * The log line has no URL, because its path or query may contain a secret. `failed` counts the attempts since
   * the endpoint's line before.
   */
  private logFailure(claimed: ClaimedRow, { outcome, code, error, durationMs }: AttemptResult): void {
    const { id: deliveryId, endpoint_id: endpointId, team_id: teamId, type, attempt } = claimed;
    const failed = this.failures.failed(endpointId);
    if (failed === null) return;
    this.logger.warn({
      message: 'attempt failed',
      deliveryId,
      endpointId,
      teamId,
      type,
      attempt,
      outcome,
      code,
      error,
      durationMs,
      failed,
    });
  }
}

/** A claimed delivery with its event, if the event is still kept. */
interface Claimed {
  row: ClaimedRow;
  event: EventRow | undefined;
  /** The time at which the request is signed. */
  now: () => Date;
}

function withEvents(rows: ClaimedRow[], now: () => Date, read: object[] = []): Claimed[] {
  const events = new Map((read as PositionedEventRow[]).map((event) => [event.position, event]));
  return rows.map((row) => ({ row, event: events.get(row.position ?? ''), now }));
}

function reading(rows: ClaimedRow[]): Query[] {
  if (rows.length === 0) return [];
  const ids = new Set(rows.map(({ team_id: teamId }) => teamId));
  return [
    teams([...ids]),
    query(
      READ_CLAIMED,
      rows.flatMap(({ position }) => position ?? []),
    ),
  ];
}

function finishing(results: AttemptResult[]): Query {
  const column = <Key extends keyof AttemptResult>(key: Key) => results.map((result) => result[key]);
  return query(
    FINISH,
    column('id'),
    column('attempt'),
    column('outcome'),
    column('code'),
    column('answer'),
    column('error'),
    column('durationMs'),
    column('pauseMs'),
    column('holdMs'),
  );
}

function claiming(wanted: Wanted[]): Query {
  const endpoints = wanted.map(({ endpointId }) => endpointId);
  const counts = wanted.map(({ count }) => count);
  return query(CLAIM, endpoints, counts, LEASE_MS);
}
