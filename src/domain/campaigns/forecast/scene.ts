import { type OutcomeChances } from '../../drawn-outcome.js';
import { type TeamRules } from '../../guardrails/guardrail.js';
import { type EnrollmentState } from '../decide/enrollment.js';
import { type CampaignFacts } from '../decide/facts.js';
import { type CampaignDefinition } from '../definition/definition.js';

/** What a forecast assumes of calls. */
export interface Assumption extends OutcomeChances {
  /** From the claim to the end of a call, with any outcome. */
  seconds: number;
}

/** A voice agent as a campaign's decisions see it. */
export type ForecastAgent = CampaignFacts['agent'] & Pick<CampaignFacts, 'hasCallerId'>;

/**
 * What all enrollments of a forecast share. Instants are epoch milliseconds. Plain data: it crosses to a
 * thread.
 */
export interface ForecastScene extends Pick<
  CampaignFacts,
  'campaignStatus' | 'paused' | 'retryWithinRedialWindow'
> {
  definition: CampaignDefinition;
  /** The clock goes from `from` until just before `until`. */
  from: number;
  until: number;
  /** Calls of the campaign that may be active at a time. */
  concurrency: number;
  assume: Assumption;
  seed: number;
  team: TeamRules;
  /** The team's calls counted in the month that `at` lies in; no call is counted in other months. */
  planUsed: { at: number; calls: number };
  /** By id. */
  agents: ReadonlyMap<string, ForecastAgent>;
  /** Of the campaign; null: no limit. */
  pacing: { maxConcurrentCalls: number | null; callsPerMinute: number | null };
  /** Enrollments of the version that Do Not Call has ended before. */
  suppressed: number;
}

/** An enrollment as a forecast begins with it. It is not written to. */
export interface ForecastEnrollment {
  /** In E.164. */
  number: string;
  /** Needed only if the team limits its countries. */
  country: string | null;
  contactTimezone: string | null;
  contactDeleted: boolean;
  whitelisted: boolean;
  onDoNotCall: boolean;
  state: EnrollmentState;
  /** Instants of the team's processed calls to the number. */
  processedAt: readonly number[];
  lastConversationAt: number | null;
  /**
   * Another call to the number. It is dialed at `dialedAt`, and counts from then on; null: it has been
   * dialed.
   */
  otherCall: { dialedAt: number | null } | null;
  /** Of enrollments that are due at one instant, the one with the least is decided first. */
  rank: number;
}
