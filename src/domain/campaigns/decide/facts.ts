import { type Schedule } from '../../calling-hours.js';
import { type GuardrailFacts } from '../../guardrails/guardrail.js';

/** What {@link decide} judges beside the enrollment itself; read under the locks of a firing. */
export interface CampaignFacts {
  campaignStatus: 'draft' | 'active' | 'paused' | 'archived';
  /** The team's pause or the platform's. */
  paused: boolean;
  contactDeleted: boolean;
  contactTimezone: string | null;
  /** The agent of the enrollment's step. */
  agent: Schedule & { timezone: string };
  guardrails: GuardrailFacts;
  /** The team's `retryWithinRedialWindow`. */
  retryWithinRedialWindow: boolean;
  /** Instants (ms) of the team's processed calls to the number, as far back as the longest `caps.perNumber`. */
  processedToNumber: readonly number[];
  /** Recorded end of the team's last completed call to the number. */
  lastConversationAt: Date | null;
  /** Another call to the number that is pending or under way. */
  otherCall: { expiresAt: Date } | null;
  hasCallerId: boolean;
  /** Until when the carrier is not asked; null: it is. */
  carrierAwayUntil: Date | null;
  /** The first instant that `callsPerMinute` allows; null: now. */
  pacedUntil: Date | null;
  /** Whether the team and the campaign may have one more active call. */
  hasConcurrencySlot: boolean;
}

/** Weeks and days of durations, and calling hours, are judged by the contact's clock, else by the agent's. */
export function zoneOfContact({ contactTimezone, agent }: CampaignFacts): string {
  return contactTimezone ?? agent.timezone;
}
