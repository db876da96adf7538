import { type Statement } from '../../../database/transactions.js';
import { eventColumns, type EventRow } from '../../feed/event.sql.js';

/*
 * The worker's statements about deliveries of all teams. One statement claims or records several deliveries.
 * All but {@link READ_CLAIMED} call functions of the database, because they cross teams.
 */

export interface DueEndpointRow extends Record<string, unknown> {
  endpoint_id: string;
  team_id: string;
}

/** Endpoints with a due delivery. */
export const FIND_DUE_ENDPOINTS: Statement = {
  name: 'find_due_webhook_endpoints',
  text: 'SELECT endpoint_id, team_id FROM find_due_webhook_endpoints()',
};

/** A claimed delivery, with the columns of its endpoint that a request needs. */
export interface ClaimedRow {
  id: string;
  endpoint_id: string;
  team_id: string;
  event_id: string;
  /** Of the event, as text; null for a test. */
  position: string | null;
  /** Of the event, as text; null for a test. */
  sequence: string | null;
  type: string;
  /** The number of this attempt, from 1. */
  attempt: number;
  /** How many attempts failed; this number chooses the next pause. */
  failures: number;
  created_at: Date;
  url: string;
  types: string[] | null;
  description: string | null;
  /** As they are stored: sealed, or plain. */
  secrets: string[];
}

/** $1 endpoints, $2 how many deliveries of each, $3 the lease in ms. */
export const CLAIM: Statement = {
  name: 'claim_webhook_deliveries',
  text: 'SELECT * FROM claim_webhook_deliveries($1, $2, $3)',
};

/** An event with its position, as text. */
export type PositionedEventRow = EventRow & { position: string };

/** The events of claimed deliveries that are still kept, in the scope of their teams. $1 positions. */
export const READ_CLAIMED: Statement = {
  name: 'read_claimed_events',
  text: `
    SELECT e.position, ${eventColumns('e')}
    FROM unnest($1::bigint[]) AS q (position)
    CROSS JOIN LATERAL (SELECT * FROM events WHERE position = q.position OFFSET 0) e`,
};

/** An endpoint that was disabled by the results. */
export interface DisabledRow {
  endpoint_id: string;
  team_id: string;
  /** `gone` or `failing`. */
  reason: string;
}

/**
 * $1 deliveries, $2 their attempts, $3 outcomes, $4 status codes, $5 answers, $6 errors, $7 durations in ms,
 * $8 pauses in ms, $9 for how long to hold their endpoints in ms.
 */
export const FINISH: Statement = {
  name: 'finish_webhook_attempts',
  text: 'SELECT endpoint_id, team_id, reason FROM finish_webhook_attempts($1, $2, $3, $4, $5, $6, $7, $8, $9)',
};

export interface RemovedRow extends Record<string, unknown> {
  /**
   * The endpoint whose deliveries are removed. Null if none are due for removal, or if another process
   * removes some.
   */
  endpoint: string | null;
  removed: number;
}

/**
 * Removes a batch of deliveries of one endpoint: those past their retention, or all if the endpoint is
 * deleted. $1 batch size.
 */
export const REMOVE: Statement = {
  name: 'remove_webhook_deliveries',
  text: 'SELECT endpoint, removed FROM remove_webhook_deliveries($1)',
};
