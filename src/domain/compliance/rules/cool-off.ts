import { localDay, startOfDay } from '../local-day.js';
import { type CoolOffRule } from '../pack.js';
import { type RuleOutcome } from './rule-outcome.js';

/**
 * The day of the conversation is the first of the days without a call, by the calendar of each zone in which the person
 * may be. Without a zone, the days are those of UTC.
 *
 * @param lastConversationAt epoch milliseconds; null: there was none. @param now epoch milliseconds.
 */
export function checkCoolOff(
  { days }: CoolOffRule,
  zones: readonly string[],
  lastConversationAt: number | null,
  now: number,
): RuleOutcome {
  if (lastConversationAt === null || lastConversationAt > now) {
    return { allow: true, evidence: { days, lastConversationAt: null } };
  }
  const evidence = { days, lastConversationAt: new Date(lastConversationAt).toISOString() };
  const ends = (zones.length === 0 ? ['UTC'] : zones).map((zone) =>
    startOfDay(zone, localDay(zone, lastConversationAt) + days, lastConversationAt),
  );
  const retryAt = Math.max(...ends);
  return retryAt <= now ? { allow: true, evidence } : { allow: false, reason: 'COOL_OFF', evidence, retryAt };
}
