import { type CallingHours } from '../../domain/calling-hours.js';
import { hoursText } from '../../domain/compliance/rule-text.js';
import { dateIn } from '../design/local-time.js';

/** The most closed dates that a sentence names. */
const NAMED = 5;

/** When an agent calls, such as `Monday to Friday 09:00–17:00; not on Saturday and Sunday`. */
export function hoursInWords(hours: CallingHours): string {
  if (hours === null) return 'At any time';
  const text = hoursText(hours);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The closed dates that are still to come, such as `Closed on 2026-12-25`; null: none.
 *
 * @param zone of the agent.
 */
export function closedInWords(dates: readonly string[], zone: string, now: Date): string | null {
  const today = dateIn(zone, now);
  const coming = dates.filter((date) => date >= today);
  if (coming.length === 0) return null;
  const rest = coming.length - NAMED;
  return `Closed on ${coming.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more dates` : ''}`;
}
