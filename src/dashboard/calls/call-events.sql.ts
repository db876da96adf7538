import { type DeliveryState } from '../../events/webhooks/webhook-delivery.entity.js';

/** An event of a call, with its deliveries to webhook endpoints. */
export interface EventOfCall {
  id: string;
  type: string;
  at: Date;
  deliveries: DeliveryOfEvent[];
}

interface DeliveryOfEvent {
  id: string;
  url: string;
  status: DeliveryState;
  attempts: number;
  responseCode: number | null;
  error: string | null;
}

/** The most events of a number among which those of the call are looked for; a number seldom has a hundred. */
const MOST_EXAMINED = 5_000;

/**
 * The events of a call, oldest first. The index of subjects leads to the events and the deliveries of the number. $1 team,
 * $2 number of the call, $3 call.
 */
export const EVENTS_OF_CALL = `
  SELECT e.id, e.type, e.at, coalesce((
    SELECT json_agg(json_build_object('id', d.id, 'url', w.url, 'status', d.status, 'attempts', d.attempts,
      'responseCode', d.response_code, 'error', d.error) ORDER BY d.created_at, d.id)
    FROM webhook_deliveries d JOIN webhook_endpoints w ON w.id = d.endpoint_id
    WHERE d.subject = number_lock_key($1, $2) AND d.team_id = $1 AND d.event_id = e.id), '[]') AS deliveries
  FROM (SELECT * FROM events WHERE subject = number_lock_key($1, $2) LIMIT ${MOST_EXAMINED}) e
  WHERE e.team_id = $1 AND e.call_id = $3
  ORDER BY e.position`;
