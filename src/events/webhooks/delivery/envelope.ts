import { type EventRow } from '../../feed/event.sql.js';
import { type EventView, eventViewOf } from '../../feed/event-view.js';
import { TEST_EVENT } from '../test-event.js';
import { type ClaimedRow } from './attempts.sql.js';

/** The body of a request: an event as the feed shows it, or a test. */
export type Envelope = Omit<EventView, 'type'> & { type: string };

/** @param event of the delivery; undefined for a test. @returns null if the event is no longer kept. */
export function envelopeOf(claimed: ClaimedRow, event: EventRow | undefined): Envelope | null {
  const { event_id: id, endpoint_id: endpointId, team_id: teamId, type, created_at: createdAt } = claimed;
  if (type !== TEST_EVENT) {
    const { sequence } = claimed;
    return event === undefined || sequence === null ? null : eventViewOf({ ...event, sequence });
  }
  const { url, types, description } = claimed;
  return {
    id,
    type,
    timestamp: createdAt.toISOString(),
    teamId,
    sequence: 0,
    data: { id: endpointId, url, types, description, disabled: false },
  };
}
