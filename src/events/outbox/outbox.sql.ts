import { type Statement } from '../../database/transactions.js';
import { type WebhookWakeUp } from '../../queue/wake-ups.js';

/* Statements about events of all teams: functions of the database. */

export interface NumberedRow extends Record<string, unknown> {
  numbered: number;
  /** The webhook endpoints that have new deliveries; null for none. */
  woken: WebhookWakeUp[] | null;
}

/** Writes the events of campaigns that have finished or stalled, unless another process does. */
export const TELL_CAMPAIGN_STATES: Statement = {
  name: 'tell_campaign_states',
  text: 'SELECT tell_campaign_states() AS told',
};

/**
 * Numbers committed events. Returns no row if there is none to number, or if another process is numbering. $1
 * batch size.
 */
export const NUMBER_EVENTS: Statement = {
  name: 'number_events',
  text: 'SELECT numbered, woken FROM number_events($1)',
};

/** $1 team to begin after, $2 batch size. */
export const TEAMS_WITH_OLD_EVENTS: Statement = {
  name: 'teams_with_old_events',
  text: 'SELECT id FROM teams_with_old_events($1, $2)',
};

/** $1 team, $2 batch size. A batch also has all events that were numbered together with its last event. */
export const REMOVE_OLD_EVENTS: Statement = {
  name: 'remove_old_events',
  text: 'SELECT remove_old_events($1, $2) AS removed',
};
