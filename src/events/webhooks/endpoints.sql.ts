import { exactInstant, type PositionedRow } from '../../lists/newest-first.js';
import { type Statement } from '../../database/transactions.js';
import { type WebhookEndpoint } from './webhook-endpoint.entity.js';

/** A team has at most this many endpoints. */
export const MAX_ENDPOINTS = 20;

/** For how many hours after a rotation the previous secret signs as well. */
export const OVERLAP_HOURS = 24;

/** The columns of an endpoint. Only the claim of deliveries returns secrets. */
export type EndpointRow = Pick<
  WebhookEndpoint,
  'id' | 'url' | 'types' | 'description' | 'disabledReason' | 'failingSince' | 'createdAt'
> &
  Record<string, unknown>;

const COLUMNS = `w.id, w.url, w.types, w.description, w.disabled_reason AS "disabledReason",
      w.failing_since AS "failingSince", w.created_at AS "createdAt"`;

/**
 * Allows one transaction of a team at a time to create an endpoint, so that {@link CREATE_ENDPOINT} can
 * count. $1 team.
 */
export const LOCK_ENDPOINTS: Statement = {
  name: 'lock_webhook_endpoints',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('webhook_endpoints ' || $1::text, 0))`,
};

/**
 * Returns no row if the team already has {@link MAX_ENDPOINTS}. $1 team, $2 url, $3 types, $4 description, $5
 * whether it is disabled, $6 secret as it is stored, $7 id.
 */
export const CREATE_ENDPOINT: Statement = {
  name: 'create_webhook_endpoint',
  text: `
    INSERT INTO webhook_endpoints AS w (id, team_id, url, types, description, disabled_at, disabled_reason, secret)
    SELECT $7, $1, $2, $3, $4, CASE WHEN $5 THEN outdial_now() END, CASE WHEN $5 THEN 'team' END, $6
    WHERE (SELECT count(*) FROM webhook_endpoints o WHERE o.team_id = $1 AND o.deleted_at IS NULL) < ${MAX_ENDPOINTS}
    RETURNING ${COLUMNS}`,
};

export type ListedEndpointRow = EndpointRow & PositionedRow;

/** $1 team, $2 instant and $3 id to begin after, $4 how many. */
export const LIST_ENDPOINTS: Statement = {
  name: 'list_webhook_endpoints',
  text: `
    SELECT ${exactInstant('w.created_at')} AS at, w.id AS key, ${COLUMNS}
    FROM webhook_endpoints w
    WHERE w.team_id = $1 AND w.deleted_at IS NULL AND (w.created_at, w.id) < ($2::timestamptz, $3::uuid)
    ORDER BY w.created_at DESC, w.id DESC
    LIMIT $4`,
};

/** $1 team, $2 endpoint. */
export const FIND_ENDPOINT: Statement = {
  name: 'find_webhook_endpoint',
  text: `SELECT ${COLUMNS} FROM webhook_endpoints w WHERE w.team_id = $1 AND w.id = $2 AND w.deleted_at IS NULL`,
};

/**
 * Changes the fields that were sent. If the URL changes or the endpoint is enabled, its earlier failures and
 * its hold no longer count. $1 team, $2 endpoint, $3 url or null, $4 whether types were sent, $5 types, $6
 * whether a description was sent, $7 description, $8 whether it is disabled, or null.
 */
export const UPDATE_ENDPOINT: Statement = {
  name: 'update_webhook_endpoint',
  text: `
    UPDATE webhook_endpoints w SET
      url = coalesce($3::text, w.url),
      types = CASE WHEN $4::boolean THEN $5::text[] ELSE w.types END,
      description = CASE WHEN $6::boolean THEN $7::text ELSE w.description END,
      disabled_at = CASE
        WHEN $8::boolean THEN coalesce(w.disabled_at, outdial_now())
        WHEN $8::boolean IS NULL THEN w.disabled_at
      END,
      disabled_reason = CASE
        WHEN $8::boolean THEN coalesce(w.disabled_reason, 'team')
        WHEN $8::boolean IS NULL THEN w.disabled_reason
      END,
      failing_since = CASE WHEN $8::boolean IS FALSE OR $3::text <> w.url THEN NULL ELSE w.failing_since END,
      held_until = CASE WHEN $8::boolean IS FALSE OR $3::text <> w.url THEN NULL ELSE w.held_until END
    WHERE w.team_id = $1 AND w.id = $2 AND w.deleted_at IS NULL
    RETURNING ${COLUMNS}`,
};

/**
 * Marks an endpoint as deleted. A loop of the worker later removes its deliveries and then its row. $1 team,
 * $2 endpoint.
 */
export const DELETE_ENDPOINT: Statement = {
  name: 'delete_webhook_endpoint',
  text: `
    UPDATE webhook_endpoints w SET deleted_at = outdial_now(), secret = '', previous_secret = NULL, previous_until = NULL
    WHERE w.team_id = $1 AND w.id = $2 AND w.deleted_at IS NULL
    RETURNING w.id`,
};

/** $1 team, $2 endpoint, $3 secret as it is stored. */
export const ROTATE_SECRET: Statement = {
  name: 'rotate_webhook_secret',
  text: `
    UPDATE webhook_endpoints w SET
      previous_secret = w.secret, previous_until = outdial_now() + interval '${OVERLAP_HOURS} hours', secret = $3
    WHERE w.team_id = $1 AND w.id = $2 AND w.deleted_at IS NULL
    RETURNING ${COLUMNS}`,
};
