import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { auditing } from '../../audit/audited-change.js';
import { positionOf, walk, type WalkedRow } from '../../lists/newest-first.js';
import { DatabaseBusyError, isLockTimeout } from '../../database/database-errors.js';
import { permitted } from '../../database/permitted.js';
import { limitLockWaits, team } from '../../database/team-scope.js';
import { KeyedSemaphore, QUEUE_TIMEOUT_MS } from '../../database/keyed-semaphore.js';
import { type Query, query, Transactions } from '../../database/transactions.js';
import { AppError, notFound } from '../../http/app-error.js';
import { FilterReader } from '../../http/filters.js';
import { encodeCursor, type Page, type PageRequest } from '../../http/page.js';
import { isUuid } from '../../http/validators.js';
import { WebhookWakeUps } from '../../queue/wake-ups.js';
import {
  DELIVERY_FILTER_COLUMNS,
  ADD_TEST,
  type DeliveryRow,
  FIND_DELIVERY,
  LISTED_DELIVERIES,
  REPLAY,
  REPLAY_WINDOW,
  type ReplayRow,
  RETRY_DELIVERY,
  WALK_DELIVERIES,
} from './deliveries.sql.js';
import { DELIVERY_FILTERS, type DeliveryFilter } from './delivery-filters.js';
import { type ReplayedEvents, type ReplayEvents } from './replay.dto.js';
import { type DeliveryState } from './webhook-delivery.entity.js';
import { type WebhookEndpointView } from './webhook-endpoint.dto.js';
import { unknownEndpoint, WebhookEndpointsService } from './webhook-endpoints.service.js';

/** A delivery as its team reads it. */
export interface WebhookDeliveryView {
  id: string;
  endpointId: string;
  eventId: string;
  /** Of the event; 0 for a test. */
  sequence: number;
  type: string;
  status: DeliveryState;
  attempts: number;
  /** Set only while the delivery is pending. */
  nextAttemptAt: string | null;
  lastAttemptAt: string | null;
  responseCode: number | null;
  answer: string | null;
  /** Why the last attempt had no answer. */
  error: string | null;
  durationMs: number | null;
  createdAt: string;
}

/** A test is answered once its first attempt has ended, or after this many milliseconds. */
const TEST_MS = 1_500;
const LOOK_MS = 100;

/**
 * One transaction of a replay looks at this many events, in some tens of milliseconds. Between two of them, the
 * replay has neither a connection nor a permit of its team.
 */
const REPLAYED_AT_ONCE = 500;

/** Transactions of replays at a time: of all teams, and of one. Those of one team would wait for each other's rows. */
const REPLAYS = { inAll: 3, ofTeam: 1 };

/** After a transaction, a replay rests as long as it took, at most this many milliseconds. */
const LONGEST_REST_MS = 50;

/** After this many milliseconds, a replay answers with what it has done, and with `nextAfter`. */
const REPLAY_MS = 5_000;

/** Lists, retries and replays the deliveries of webhook endpoints, for requests with a team's API key. */
@Injectable()
export class WebhookDeliveriesService {
  private readonly replays = new KeyedSemaphore(REPLAYS.inAll, REPLAYS.ofTeam);

  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly endpoints: WebhookEndpointsService,
    private readonly wakeUps: WebhookWakeUps,
  ) {}

  /** Lists deliveries, those of the newest events first. @throws AppError `NOT_FOUND`, `INVALID_REQUEST`. */
  async list(
    teamId: string,
    endpointId: string,
    request: PageRequest<DeliveryFilter>,
  ): Promise<Page<WebhookDeliveryView>> {
    const read = new FilterReader(DELIVERY_FILTERS, request);
    read.done();
    const start = positionOf(request);
    await this.endpoints.get(teamId, endpointId);
    // A walk may read many rows, so it needs permits of its team.
    const own = permitted(this.semaphore, teamId, this.transactions.within(team(teamId)));
    const { positions, next } = await walk(request, start, ({ key }, limit) =>
      own.read<WalkedRow & Record<string, unknown>>(
        query(
          WALK_DELIVERIES,
          teamId,
          endpointId,
          key,
          limit,
          ...DELIVERY_FILTER_COLUMNS.values(read.values),
        ),
      ),
    );
    const events = positions.map(({ key }) => key);
    const rows = await own.read<DeliveryRow>(query(LISTED_DELIVERIES, teamId, endpointId, events));
    return { items: rows.map(viewOf), nextCursor: next === null ? null : encodeCursor([next.at, next.key]) };
  }

  /** @throws AppError `NOT_FOUND`. */
  async get(teamId: string, id: string): Promise<WebhookDeliveryView> {
    const row = isUuid(id) ? await this.one(teamId, query(FIND_DELIVERY, teamId, id)) : undefined;
    if (row === undefined) throw notFound('Webhook delivery');
    return viewOf(row);
  }

  /**
   * Sends a test event.
   *
   * @returns its delivery: after the first attempt, or after {@link TEST_MS} if the attempt lasts longer.
   * @throws AppError `NOT_FOUND`, `CONFLICT` when the endpoint is disabled.
   */
  async test(teamId: string, endpointId: string): Promise<WebhookDeliveryView> {
    await this.enabled(teamId, endpointId);
    const row = await this.one(teamId, query(ADD_TEST, teamId, endpointId), [
      auditing({
        teamId,
        action: 'webhook_endpoint.tested',
        target: { type: 'webhook_endpoint', id: endpointId },
      }),
    ]);
    if (row === undefined) throw unknownEndpoint();
    this.wakeUps.wake([{ endpointId: row.endpointId, teamId }]);
    const until = performance.now() + TEST_MS;
    let delivery = viewOf(row);
    while (delivery.lastAttemptAt === null || isUnderWay(delivery)) {
      if (performance.now() > until) break;
      await pause(LOOK_MS);
      delivery = await this.get(teamId, delivery.id);
    }
    return delivery;
  }

  /**
   * Makes a delivery due at once. A delivery that has arrived meanwhile stays as it is.
   * @param force whether to send the event again also if it has arrived. @throws AppError `NOT_FOUND`, `CONFLICT` when the endpoint is disabled.
   */
  async retry(teamId: string, id: string, force = false): Promise<WebhookDeliveryView> {
    const { endpointId } = await this.get(teamId, id);
    await this.enabled(teamId, endpointId);
    const row = await this.one(teamId, query(RETRY_DELIVERY, teamId, id, force), [
      auditing({ teamId, action: 'webhook_delivery.retried', target: { type: 'webhook_delivery', id } }),
    ]);
    this.wakeUps.wake([{ endpointId, teamId }]);
    // There is no row if an attempt is under way, or the event was delivered.
    return row === undefined ? this.get(teamId, id) : viewOf(row);
  }

  /**
   * Makes kept events due for the endpoint, whether they were sent before or not. Events of types that the
   * endpoint does not get are left out. Each part of a replay is committed by itself, so an answer that is lost
   * leaves the events before it due.
   *
   * @throws AppError `NOT_FOUND`, `CONFLICT` when the endpoint is disabled.
   */
  async replay(teamId: string, endpointId: string, { after, until }: ReplayEvents): Promise<ReplayedEvents> {
    const { id } = await this.enabled(teamId, endpointId);
    const action = 'webhook_endpoint.replayed';
    const asked = { teamId, action, target: { type: 'webhook_endpoint', id }, after: { after, until } };
    await this.transactions.within(team(teamId)).autocommit(auditing(asked));
    const lastStart = performance.now() + REPLAY_MS;
    const done = { deliveries: 0, nextAfter: after as number | null };
    for (let left = REPLAY_WINDOW; left > 0 && done.nextAfter !== null; left -= REPLAYED_AT_ONCE) {
      const row = await this.replayed(teamId, endpointId, done.nextAfter, until, left < REPLAY_WINDOW);
      if (row === null) break;
      done.deliveries += row.deliveries;
      const reached = Number(row.reached);
      done.nextAfter = row.looked < REPLAYED_AT_ONCE || reached === until ? null : reached;
      this.wakeUps.wake([{ endpointId: id, teamId }]);
      if (performance.now() > lastStart) break;
    }
    return done;
  }

  /**
   * Replays some events, with a permit of the team. Its lock waits are short, because a worker that records
   * results may hold the rows.
   *
   * @param canStop whether to return null if the database is busy, instead of an error.
   */
  private async replayed(
    teamId: string,
    endpointId: string,
    after: number,
    until: number | undefined,
    canStop: boolean,
  ): Promise<ReplayRow | null> {
    const replay = query(REPLAY, teamId, endpointId, after, until ?? null, REPLAYED_AT_ONCE);
    const work = async () => {
      const startedAt = performance.now();
      const [, result] = await this.semaphore.runWithLocks(teamId, () =>
        this.transactions.within(team(teamId)).inOneRoundTrip([limitLockWaits(), replay]),
      );
      await pause(Math.min(performance.now() - startedAt, LONGEST_REST_MS));
      return (result?.rows[0] as ReplayRow | undefined) ?? null;
    };
    try {
      return await this.replays.run(teamId, work, QUEUE_TIMEOUT_MS);
    } catch (error) {
      if (canStop && (error instanceof DatabaseBusyError || isLockTimeout(error))) return null;
      throw error;
    }
  }

  private async enabled(teamId: string, endpointId: string): Promise<WebhookEndpointView> {
    const endpoint = await this.endpoints.get(teamId, endpointId);
    if (endpoint.disabled) throw new AppError('CONFLICT', 'The webhook endpoint is disabled');
    return endpoint;
  }

  private async one(teamId: string, statement: Query, audit: Query[] = []): Promise<DeliveryRow | undefined> {
    const own = this.transactions.within(team(teamId));
    const [result] = await own.inOneRoundTrip([statement, ...audit]);
    return result?.rows[0] as DeliveryRow | undefined;
  }
}

/**
 * Whether a delivery has no result yet. `lastAttemptAt` does not show it, because a claim sets
 * `lastAttemptAt` before the attempt.
 */
function isUnderWay({ status, responseCode, error }: WebhookDeliveryView): boolean {
  return status === 'pending' && responseCode === null && error === null;
}

function viewOf(row: DeliveryRow): WebhookDeliveryView {
  const { id, endpointId, eventId, sequence, type, status, attempts } = row;
  const { responseCode, answer, error, durationMs } = row;
  return {
    id,
    endpointId,
    eventId,
    sequence: Number(sequence ?? 0),
    type,
    status,
    attempts,
    nextAttemptAt: row.nextAt?.toISOString() ?? null,
    lastAttemptAt: row.attemptedAt?.toISOString() ?? null,
    responseCode,
    answer,
    error,
    durationMs,
    createdAt: row.createdAt.toISOString(),
  };
}
