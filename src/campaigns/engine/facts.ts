import { agentCallerIdsOf, rangeOf } from '../../dialing/claim/agent-facts.js';
import { BatchEffects } from '../../dialing/facts/batch-effects.js';
import { complianceOf } from '../../dialing/facts/compliance.js';
import {
  type ErasedFacts,
  guardrailsOf,
  holdsLock,
  hoursOf,
  type NumberOfTeam,
} from '../../dialing/facts/facts.js';
import { type CallerIdCandidates, pickCallerId } from '../../domain/caller-id.js';
import { type EnrollmentState } from '../../domain/campaigns/decide/enrollment.js';
import { type CampaignFacts } from '../../domain/campaigns/decide/facts.js';
import { type CampaignDefinition } from '../../domain/campaigns/definition/definition.js';
import { parseDefinition } from '../../domain/campaigns/definition/parse-definition.js';
import { type PackIndex } from '../../domain/compliance/pack-index.js';
import { teamRulesOf } from '../../domain/team-settings.js';
import { DEFINITION_FORMAT } from '../definition/campaign-version.entity.js';
import { attemptOf } from './attempts.js';
import { type EnrollmentFactsRow, type TakenEnrollment, type VersionRow } from './facts.sql.js';

/** The facts of a batch of enrollments. {@link BatchEffects} adds each claim to the facts of later enrollments. */
export class EngineBatchFacts {
  private readonly rows: Map<string, EnrollmentFactsRow>;
  private readonly definitions: Map<string, CampaignDefinition | null>;
  private readonly effects = new BatchEffects();

  constructor(
    rows: EnrollmentFactsRow[],
    versions: VersionRow[],
    private readonly packs: PackIndex,
  ) {
    this.rows = new Map(rows.map((row) => [row.enrollment_id, row]));
    this.definitions = new Map(versions.map((version) => [version.id, definitionOf(version)]));
  }

  /**
   * The row of an enrollment. Undefined if a lock is not held in the mode that the decision needs, shared or
   * exclusive.
   */
  lockedRowOf({ id, lock, campaignLock }: TakenEnrollment): EnrollmentFactsRow | undefined {
    const row = this.rows.get(id);
    if (row === undefined || !holdsLock(lock, row.needs_exclusive_lock)) return undefined;
    return holdsLock(campaignLock, isCounted(row)) ? row : undefined;
  }

  /** Null for a version without a validated definition, which places no calls. */
  definitionOf(row: EnrollmentFactsRow): CampaignDefinition | null {
    return this.definitions.get(row.version_id) ?? null;
  }

  /** The rows of the batch. */
  all(): Iterable<EnrollmentFactsRow> {
    return this.rows.values();
  }

  callerIdsOf(row: EnrollmentFactsRow): CallerIdCandidates {
    return agentCallerIdsOf(row, this.effects.picks);
  }

  /** The numbers that may also have rows under their erased forms. */
  erasableNumbers(): NumberOfTeam[] {
    return [...this.rows.values()].filter((row) => row.has_erased_numbers).map(numberOf);
  }

  /**
   * The domain's facts about a row, with the effects of earlier claims of the batch.
   *
   * @throws ErasureKeyError where the facts of the number's erased form are missing.
   */
  factsOf(row: EnrollmentFactsRow, erased: ErasedFacts): CampaignFacts {
    const { claims } = this.effects;
    const [ofTeam, ofCampaign] = [claims.of(row.team_id), claims.of(row.campaign_id)];
    const known = erased.addTo(row, numberOf(row));
    const before = erased.callsTo(numberOf(row));
    const counted = { ...known, plan_used: (row.plan_used ?? 0) + ofTeam };
    const called = { phoneNumber: row.phone_number, zone: row.contact_timezone };
    return {
      campaignStatus: row.campaign_status,
      paused: row.paused,
      contactDeleted: row.contact_erased,
      contactTimezone: row.contact_timezone,
      agent: {
        timezone: row.agent_timezone,
        callingHours: row.calling_hours,
        closedDates: row.closed_dates,
        deleted: row.agent_deleted,
      },
      guardrails: {
        ...guardrailsOf(counted, rangeOf(row.phone_number, teamRulesOf(row)), false, hoursOf(row, null), {
          agentId: row.agent_id,
          campaignId: row.campaign_id,
        }),
        compliance: complianceOf(row.compliance, this.packs, called, before),
      },
      retryWithinRedialWindow: row.retry_within_redial_window,
      processedToNumber: [...(row.processed_to_number_ms ?? []), ...before.processedAt],
      lastConversationAt: later(row.last_conversation_at, before.lastConversationAt),
      otherCall: row.other_call && { expiresAt: new Date(row.other_call.expiresAt) },
      hasCallerId: pickCallerId(this.callerIdsOf(row)) !== null,
      carrierAwayUntil: null,
      pacedUntil: pacedUntil(row, ofCampaign),
      hasConcurrencySlot: hasConcurrencySlot(row, ofTeam, ofCampaign),
    };
  }

  /** Adds the claim to the facts of the enrollments after it. */
  addClaim(row: EnrollmentFactsRow, callerId: string): void {
    const { claims, picks } = this.effects;
    for (const key of [row.team_id, row.campaign_id]) claims.add(key);
    picks.add(callerId);
  }
}

function later(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

function numberOf({ team_id: teamId, phone_number: phoneNumber }: EnrollmentFactsRow): NumberOfTeam {
  return { teamId, phoneNumber };
}

export function stateOf(row: EnrollmentFactsRow): EnrollmentState {
  return {
    enrolledAt: row.enrolled_at,
    stepKey: row.step,
    paused: row.enrollment_status === 'paused',
    notBefore: row.not_before,
    attempts: (row.attempts ?? []).map(attemptOf),
  };
}

function definitionOf({ definition, definition_format: format }: VersionRow): CampaignDefinition | null {
  if (format !== DEFINITION_FORMAT) return null;
  const parsed = parseDefinition(definition);
  return parsed.ok ? parsed.value : null;
}

/** Whether a limit of the campaign counts its calls, so that a claim needs the campaign's exclusive lock. */
function isCounted({ pacing }: EnrollmentFactsRow): boolean {
  return (pacing?.maxConcurrentCalls ?? null) !== null || (pacing?.callsPerMinute ?? null) !== null;
}

/**
 * Whether the concurrency limits of the team and the campaign allow another call. Concurrency slots for which
 * triggered calls wait are not free for campaigns.
 */
function hasConcurrencySlot(row: EnrollmentFactsRow, ofTeam: number, ofCampaign: number): boolean {
  const limit = row.max_concurrent_calls;
  const inTeam = limit === null || (row.active_calls ?? 0) + (row.waiting_calls ?? 0) + ofTeam < limit;
  const campaignLimit = row.pacing?.maxConcurrentCalls ?? null;
  return inTeam && (campaignLimit === null || (row.campaign_active ?? 0) + ofCampaign < campaignLimit);
}

function pacedUntil(row: EnrollmentFactsRow, ofCampaign: number): Date | null {
  const limit = row.pacing?.callsPerMinute ?? null;
  if (limit === null || (row.claims_in_minute ?? 0) + ofCampaign < limit) return null;
  // If only the claims of this batch reach the limit, `paced_until` is null. The engine then decides again in
  // a second.
  return row.paced_until ?? new Date(row.now.getTime() + 1_000);
}
