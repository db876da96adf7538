import { type ComplianceCase } from '../../compliance/compliance-case.js';
import { drawOutcome } from '../../drawn-outcome.js';
import { type GuardrailFacts, UNRESTRICTED } from '../../guardrails/guardrail.js';
import { type WaitingFor } from '../decide/decision.js';
import { type Attempt, type EnrollmentState } from '../decide/enrollment.js';
import { type CampaignFacts } from '../decide/facts.js';
import { type ForecastAgent, type ForecastEnrollment, type ForecastScene } from './scene.js';

/** The facts that are the same for all enrollments at an instant. `team` is {@link teamFacts}. */
export type SharedFacts = Pick<CampaignFacts, 'pacedUntil' | 'hasConcurrencySlot' | 'keptOpenings'> & {
  team: GuardrailFacts;
  planUsed: number;
};

/** An enrollment in a play: its state at the start, and what has happened since the start. */
export class PlayedEnrollment {
  stepKey: string | null;
  /** Null after the end, and before the first decision unless a call is under way. */
  waitingFor: WaitingFor | null = null;
  /** The rule that refuses the due attempt of the enrollment; null if no rule does. */
  refusedBy: WaitingFor | null = null;
  isUnderWay: boolean;
  hasEnded = false;
  private attempts: readonly Attempt[];
  private processedAt: readonly number[];
  private lastConversationAt: number | null;
  /** Calls to the number so far. */
  private calls: number;
  private other: { dialedAt: number | null; endsAt: number } | null;

  constructor(
    private readonly scene: ForecastScene,
    private readonly source: ForecastEnrollment,
  ) {
    const { state, otherCall, processedAt } = source;
    this.stepKey = state.stepKey;
    this.attempts = state.attempts;
    this.processedAt = processedAt;
    this.lastConversationAt = source.lastConversationAt;
    this.calls = processedAt.length;
    const dialedAt = otherCall?.dialedAt == null ? null : Math.max(otherCall.dialedAt, scene.from);
    this.other = otherCall && { dialedAt, endsAt: (dialedAt ?? scene.from) + callMs(scene) };
    this.isUnderWay = state.attempts.at(-1)?.outcome === null;
    if (this.isUnderWay) this.endCallUnderWay();
  }

  get rank(): number {
    return this.source.rank;
  }

  get number(): string {
    return this.source.number;
  }

  /**
   * The instant of the first decision. It is the latest of three instants: the start of the play,
   * `enrolledAt`, and the last known event of the enrollment's calls. A call under way ends after the assumed
   * time.
   */
  get startsAt(): number {
    const { enrolledAt } = this.source.state;
    const known = this.attempts.flatMap((attempt) => attempt.recordedAt ?? attempt.processedAt ?? []);
    return Math.max(this.scene.from, enrolledAt.getTime(), ...known.map((at) => at.getTime()));
  }

  get state(): EnrollmentState {
    const { enrolledAt, paused, notBefore } = this.source.state;
    return { enrolledAt, stepKey: this.stepKey, paused, notBefore, attempts: this.attempts };
  }

  /** The number of calls that the enrollment has. */
  get seq(): number {
    return this.attempts.length;
  }

  get lastOutcome(): string {
    return this.attempts.at(-1)?.outcome ?? 'failed';
  }

  get zone(): string {
    return this.source.contactTimezone ?? this.agent?.timezone ?? 'UTC';
  }

  /** The agent of its step; undefined if the version lacks the step. */
  get agent(): ForecastAgent | undefined {
    const { steps } = this.scene.definition;
    const step = this.stepKey === null ? steps[0] : steps.find(({ key }) => key === this.stepKey);
    return step && this.scene.agents.get(step.agentId);
  }

  factsAt(at: number, agent: ForecastAgent, shared: SharedFacts): CampaignFacts {
    const { scene, source } = this;
    this.dialOther(at);
    return {
      campaignStatus: scene.campaignStatus,
      paused: scene.paused,
      contactDeleted: source.contactDeleted,
      contactTimezone: source.contactTimezone,
      agent,
      guardrails: {
        ...shared.team,
        country: source.country,
        whitelisted: source.whitelisted,
        planUsed: shared.planUsed,
        processedAt: this.processedAt,
        onDoNotCall: source.onDoNotCall,
        zone: this.zone,
        zoneSource: source.contactTimezone === null ? 'agent' : 'contact',
        compliance: this.lawFor(agent),
      },
      retryWithinRedialWindow: scene.retryWithinRedialWindow,
      processedToNumber: this.processedAt,
      lastConversationAt: this.lastConversationAt === null ? null : new Date(this.lastConversationAt),
      otherCall: this.other && at < this.other.endsAt ? { expiresAt: new Date(this.other.endsAt) } : null,
      hasCallerId: agent.hasCallerId,
      carrierAwayUntil: null,
      pacedUntil: shared.pacedUntil,
      hasConcurrencySlot: shared.hasConcurrencySlot,
      keptOpenings: shared.keptOpenings,
    };
  }

  /** Dials, and draws the outcome of the call. @returns the instant at which the call ends. */
  dial(stepKey: string, callback: boolean, at: number): number {
    this.processedAt = [...this.processedAt, at];
    this.calls += 1;
    const processedAt = new Date(at);
    const { outcome, endsAt } = this.drawn(at);
    const endedAt = new Date(endsAt);
    const attempt = { stepKey, callback, processedAt, outcome, endedAt, recordedAt: endedAt, result: null };
    this.attempts = [...this.attempts, attempt];
    this.stepKey = stepKey;
    this.isUnderWay = true;
    this.waitingFor = 'in_call';
    this.refusedBy = null;
    return endsAt;
  }

  end(): void {
    this.hasEnded = true;
    this.waitingFor = null;
    this.attempts = [];
    this.processedAt = [];
  }

  /**
   * What packs judge now: the calls before the play and those of the play count. The case is a new one each time, so
   * that its judgement is not kept. Without rules, no judgement reads the calls.
   */
  private lawFor({ purpose }: ForecastAgent): ComplianceCase | null {
    const before = this.source.lawOf?.(purpose) ?? null;
    if (before === null || before.rules.length === 0) return before;
    const played = this.processedAt.slice(this.source.processedAt.length);
    const conversations = [before.facts.lastConversationAt, this.lastConversationAt];
    const known = conversations.filter((at) => at !== null);
    const facts = {
      ...before.facts,
      processedAt: [...before.facts.processedAt, ...played],
      lastConversationAt: known.length === 0 ? null : Math.max(...known),
    };
    return { ...before, facts };
  }

  /** Draws the outcome of the call that is under way when the play begins. */
  private endCallUnderWay(): void {
    const last = this.attempts.at(-1);
    if (last === undefined) return;
    const { outcome, endsAt } = this.drawn(Math.max(this.scene.from, last.processedAt?.getTime() ?? 0));
    const endedAt = new Date(endsAt);
    this.attempts = [...this.attempts.slice(0, -1), { ...last, outcome, endedAt, recordedAt: endedAt }];
    this.waitingFor = 'in_call';
  }

  /**
   * Draws the outcome of a call at its start. The enrollment is not decided before the call ends, so no
   * decision uses the outcome too early.
   */
  private drawn(at: number) {
    const { assume, seed } = this.scene;
    const outcome = drawOutcome(assume, seed, this.source.number, Math.max(1, this.calls));
    const endsAt = at + callMs(this.scene);
    if (outcome === 'completed') this.lastConversationAt = endsAt;
    return { outcome, endsAt };
  }

  private dialOther(at: number): void {
    const { other } = this;
    if (other?.dialedAt == null || other.dialedAt > at) return;
    this.processedAt = [...this.processedAt, other.dialedAt];
    this.calls += 1;
    this.other = { ...other, dialedAt: null };
  }
}

/**
 * The facts of the team, which all decisions of a play share. Facts that a forecast does not know have values
 * by which no guardrail refuses a call.
 */
export function teamFacts({ team }: ForecastScene): GuardrailFacts {
  return { ...UNRESTRICTED, ...team };
}

export function callMs({ assume }: ForecastScene): number {
  return Math.max(1, Math.round(assume.seconds * 1_000));
}
