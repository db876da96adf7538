import { FilterColumns } from '../../lists/filter-sql.js';
import { exactInstant, WALK_WINDOW } from '../../lists/newest-first.js';
import { type Statement } from '../../database/transactions.js';
import { numbersAfter } from '../feed/event.sql.js';
import { DELIVERY_FILTERS } from './delivery-filters.js';
import { TEST_EVENT } from './test-event.js';
import { type WebhookDelivery } from './webhook-delivery.entity.js';

/** The columns of a delivery that are read. */
export type DeliveryRow = Omit<
  WebhookDelivery,
  'teamId' | 'position' | 'subject' | 'bulk' | 'failures' | 'claimedUntil' | 'createdAt'
> &
  Pick<WebhookDelivery, 'createdAt'> &
  Record<string, unknown>;

const COLUMNS = `d.id, d.endpoint_id AS "endpointId", d.event_id AS "eventId", d.sequence, d.type, d.status, d.attempts,
      d.next_at AS "nextAt", d.attempted_at AS "attemptedAt", d.response_code AS "responseCode", d.answer, d.error,
      d.duration_ms AS "durationMs", d.created_at AS "createdAt"`;

/** $1 team, $2 delivery. Deliveries of a deleted endpoint are not found. */
export const FIND_DELIVERY: Statement = {
  name: 'find_webhook_delivery',
  text: `
    SELECT ${COLUMNS} FROM webhook_deliveries d
    JOIN webhook_endpoints w ON w.id = d.endpoint_id AND w.deleted_at IS NULL
    WHERE d.team_id = $1 AND d.id = $2`,
};

export const DELIVERY_FILTER_COLUMNS = new FilterColumns(DELIVERY_FILTERS, 5);

/**
 * A window of an endpoint's deliveries, those of the newest events first. It is one window of a walk, as in
 * `walking`, but in the order of the events' ids only. $1 team, $2 endpoint, $3 event to begin after, $4
 * how many, from $5 the filters, where null is a filter that was not sent.
 */
export const WALK_DELIVERIES: Statement = {
  name: 'walk_webhook_deliveries',
  text: `
    SELECT ${exactInstant('w.created_at')} AS at, w.event_id::text AS key, w.matches, w.n = ${WALK_WINDOW} AS ends
    FROM (
      SELECT d.created_at, d.event_id, ${DELIVERY_FILTER_COLUMNS.matches()} AS matches,
        row_number() OVER (ORDER BY d.event_id DESC) AS n
      FROM webhook_deliveries d
      WHERE (d.team_id = $1) IS TRUE AND d.endpoint_id = $2 AND d.event_id < $3
      ORDER BY d.event_id DESC
      LIMIT ${WALK_WINDOW}
    ) w
    WHERE w.matches OR w.n = ${WALK_WINDOW}
    ORDER BY w.event_id DESC
    LIMIT $4`,
};

/** $1 team, $2 endpoint, $3 events. */
export const LISTED_DELIVERIES: Statement = {
  name: 'listed_webhook_deliveries',
  text: `
    SELECT ${COLUMNS} FROM webhook_deliveries d
    WHERE (d.team_id = $1) IS TRUE AND d.endpoint_id = $2 AND d.event_id = ANY ($3)
    ORDER BY d.event_id DESC`,
};

/** A new delivery of the event that tests an endpoint. $1 team, $2 endpoint. */
export const ADD_TEST: Statement = {
  name: 'add_webhook_test',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    INSERT INTO webhook_deliveries AS d (id, team_id, endpoint_id, event_id, type, next_at, created_at)
    SELECT new_call_id(clock.now), w.team_id, w.id, new_call_id(clock.now), '${TEST_EVENT}', clock.now, clock.now
    FROM webhook_endpoints w, clock
    WHERE w.team_id = $1 AND w.id = $2 AND w.disabled_at IS NULL AND w.deleted_at IS NULL
    RETURNING ${COLUMNS}`,
};

/** SQL: restarts a delivery. Valid only with the condition {@link NOT_UNDER_WAY}. */
const BEGIN_AGAIN = `status = 'pending', failures = 0, next_at = outdial_now(), claimed_until = NULL`;
const NOT_UNDER_WAY = '(d.claimed_until IS NULL OR d.claimed_until <= outdial_now())';

/**
 * Makes a delivery due, before bulk work. No row if an attempt is under way, or if the event was delivered. $1
 * team, $2 delivery, $3 whether to send an event again that was delivered.
 */
export const RETRY_DELIVERY: Statement = {
  name: 'retry_webhook_delivery',
  text: `
    UPDATE webhook_deliveries d SET ${BEGIN_AGAIN}, bulk = false
    FROM webhook_endpoints w
    WHERE d.team_id = $1 AND d.id = $2 AND ${NOT_UNDER_WAY} AND ($3::boolean OR d.status <> 'delivered')
      AND w.id = d.endpoint_id AND w.disabled_at IS NULL AND w.deleted_at IS NULL
    RETURNING ${COLUMNS}`,
};

/** One replay looks at no more than this number of events. */
export const REPLAY_WINDOW = 10_000;

export interface ReplayRow extends Record<string, unknown> {
  deliveries: number;
  looked: number;
  /** The sequence of the last event that was looked at, a bigint as text; null: there was none. */
  reached: string | null;
}

/**
 * Makes deliveries of kept events due: new deliveries, and existing ones that have no attempt under way. They
 * are sent behind what happens meanwhile. $1 team, $2 endpoint, $3 sequence to begin after, $4 the last sequence
 * or null, $5 how many events to look at.
 */
export const REPLAY: Statement = {
  name: 'replay_webhook_deliveries',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    looked AS MATERIALIZED (
      SELECT b.position, b.sequence FROM (${numbersAfter('$1', '$3::bigint', '$5::integer')}) b
      WHERE b.sequence <= coalesce($4::bigint, 9223372036854775807)
      ORDER BY b.last, b.n
      LIMIT $5::integer
    ), due AS (
      INSERT INTO webhook_deliveries AS d (id, team_id, endpoint_id, event_id, position, sequence, type, subject, next_at, bulk, created_at)
      SELECT new_call_id(clock.now), w.team_id, w.id, e.id, l.position, l.sequence, e.type,
        subject_of_event(e.team_id, e.subject, e.data), clock.now, true, clock.now
      FROM clock, webhook_endpoints w, looked l
      CROSS JOIN LATERAL (SELECT * FROM events WHERE position = l.position OFFSET 0) e
      WHERE w.team_id = $1 AND w.id = $2 AND w.disabled_at IS NULL AND w.deleted_at IS NULL
        AND (w.types IS NULL OR e.type = ANY (w.types))
      ORDER BY l.sequence
      ON CONFLICT (endpoint_id, event_id) DO UPDATE SET ${BEGIN_AGAIN}, bulk = true WHERE ${NOT_UNDER_WAY}
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM due)::integer AS deliveries, (SELECT count(*) FROM looked)::integer AS looked,
      (SELECT max(l.sequence) FROM looked l) AS reached`,
};
