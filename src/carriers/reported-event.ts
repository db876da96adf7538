import { invalid } from '../http/app-error.js';
import { type CallReports } from './callbacks.js';
import { type CarrierEvent } from './carrier.js';
import { carrierEventFromJson } from './event-json.js';

/**
 * Reads the event that a body reports. An opt-out in a malformed body is carried out before the report is
 * refused.
 *
 * @throws AppError `INVALID_REQUEST`.
 */
export async function reportedEvent(body: unknown, reports: CallReports): Promise<CarrierEvent> {
  const parsed = carrierEventFromJson(body);
  if (parsed.ok) return parsed.event;
  if (parsed.optOutOf !== undefined) await reports.optOut(parsed.optOutOf);
  throw invalid(parsed.message);
}
