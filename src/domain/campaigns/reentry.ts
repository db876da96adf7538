import { type CampaignReentry } from './definition/parse-settings.js';
import { addDuration } from './duration.js';

/** The newest enrollment of a contact in a campaign. */
export interface LastEntry {
  /** The position of the enrollment among those of the contact, from 1. */
  entry: number;
  /** Null while the enrollment is live. */
  endedAt: Date | null;
}

/**
 * Whether a contact may be enrolled in a campaign again at `now`.
 *
 * @param zone of the contact, else of the agent. The days of `minInterval` keep the wall clock of this zone.
 */
export function mayEnterAgain(
  { maxEntries, minInterval }: CampaignReentry,
  { entry, endedAt }: LastEntry,
  zone: string,
  now: Date,
): boolean {
  if (endedAt === null || (maxEntries !== null && entry >= maxEntries)) return false;
  return minInterval === null || addDuration(endedAt, minInterval, zone) <= now;
}
