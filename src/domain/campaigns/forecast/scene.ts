import { type ComplianceCase } from '../../compliance/compliance-case.js';
import { type Purpose } from '../../compliance/pack.js';
import { type OutcomeChances } from '../../drawn-outcome.js';
import { type TeamRules } from '../../guardrails/guardrail.js';
import { type EnrollmentState } from '../decide/enrollment.js';
import { type CampaignFacts } from '../decide/facts.js';
import { type CampaignDefinition } from '../definition/definition.js';

/** What a forecast assumes about calls. */
export interface Assumption extends OutcomeChances {
  /** The time from the claim to the end of a call, for every outcome. */
  seconds: number;
}

/** A voice agent as a campaign's decisions see it. */
export type ForecastAgent = CampaignFacts['agent'] &
  Pick<CampaignFacts, 'hasCallerId'> & { purpose: Purpose | null };

/**
 * What all enrollments of a forecast share. Instants are epoch milliseconds. The scene is plain data, because
 * it is sent to a thread.
 */
export interface ForecastScene extends Pick<
  CampaignFacts,
  'campaignStatus' | 'paused' | 'retryWithinRedialWindow'
> {
  definition: CampaignDefinition;
  /** The simulated time runs from `from` until just before `until`. */
  from: number;
  until: number;
  /** The most calls of the campaign that may be active at a time. */
  concurrency: number;
  assume: Assumption;
  seed: number;
  team: TeamRules;
  /** The team's calls counted in the month of `at`. In other months, no call is counted at the start. */
  planUsed: { at: number; calls: number };
  /** By id. */
  agents: ReadonlyMap<string, ForecastAgent>;
  /** Of the campaign; null: no limit. */
  pacing: { maxConcurrentCalls: number | null; callsPerMinute: number | null };
  /** Enrollments of the version that the Do Not Call list ended before the play. */
  suppressed: number;
}

/** An enrollment at the start of a forecast. The play does not change this object. */
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
   * What packs judge of a call by an agent of this purpose, with the calls before the play; null for a team whose
   * compliance is `off`, and for made-up contacts, which have no place.
   */
  lawOf: ((purpose: Purpose | null) => ComplianceCase | null) | null;
  /**
   * Another call to the number; null: there is none. It is dialed at `dialedAt`, and counts from that
   * instant. If `dialedAt` is null, the call was dialed before the play.
   */
  otherCall: { dialedAt: number | null } | null;
  /** Of enrollments that are due at one instant, the enrollment with the least rank is decided first. */
  rank: number;
}
