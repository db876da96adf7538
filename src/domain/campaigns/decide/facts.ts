import { type Schedule } from '../../calling-hours.js';
import { type GuardrailFacts } from '../../guardrails/guardrail.js';
import { type KeptOpenings } from './kept-openings.js';

/** The facts of {@link decide} besides the enrollment, read under the locks of a firing. */
export interface CampaignFacts {
  campaignStatus: 'draft' | 'active' | 'paused' | 'archived';
  /** The team's pause or the platform's. */
  paused: boolean;
  contactDeleted: boolean;
  contactTimezone: string | null;
  /** The agent of the enrollment's step. A deleted agent places no calls. */
  agent: Schedule & { timezone: string; deleted: boolean };
  guardrails: GuardrailFacts;
  /** The team's `retryWithinRedialWindow`. */
  retryWithinRedialWindow: boolean;
  /**
   * Instants (ms) of the team's processed calls to the number, as far back as the longest window of
   * `caps.perNumber`.
   */
  processedToNumber: readonly number[];
  /** The recorded end of the team's last completed call to the number. */
  lastConversationAt: Date | null;
  /** Another call to the number that is pending or active. */
  otherCall: { expiresAt: Date } | null;
  hasCallerId: boolean;
  /** The instant until which the carrier's circuit is open; null: the circuit is closed. */
  carrierAwayUntil: Date | null;
  /** The first instant at which `callsPerMinute` allows a call; null: now. */
  pacedUntil: Date | null;
  /** Whether the team and the campaign may have one more active call. */
  hasConcurrencySlot: boolean;
  /** Of the decisions by this definition; absent: each decision finds its openings itself. */
  keptOpenings?: KeptOpenings;
}

/** The zone of durations in weeks and days, and of calling hours: the contact's, else the agent's. */
export function zoneOfContact({ contactTimezone, agent }: CampaignFacts): string {
  return contactTimezone ?? agent.timezone;
}
