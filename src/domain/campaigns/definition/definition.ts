import { type CallingHours } from '../../calling-hours.js';
import { type Duration } from '../duration.js';

/** Outcomes for which a step can list delays. An unknown outcome is never retried. */
export const RETRY_OUTCOMES = ['no_answer', 'busy', 'voicemail', 'failed'] as const;
export type RetryOutcome = (typeof RETRY_OUTCOMES)[number];

/** The conditions of `on`: a completed call, or that the retries of the step are used up. */
export const STEP_OUTCOMES = ['completed', 'no_response'] as const;
export type StepOutcome = (typeof STEP_OUTCOMES)[number];

export const COMPLETED_REASONS = ['reached', 'no_response'] as const;

export type Condition =
  { kind: 'disposition'; disposition: string } | { kind: 'outcome'; outcome: StepOutcome };

export type Effect =
  | { kind: 'goal' }
  /** Dial again at the instant that the call's result requests. */
  | { kind: 'callback' }
  | { kind: 'end'; reason: (typeof COMPLETED_REASONS)[number] }
  | { kind: 'next'; stepKey: string };

export interface Route {
  when: Condition;
  then: Effect;
}

export interface Step {
  key: string;
  agentId: string;
  /** Counts from enrollment for the first step, else from the recorded end of the step's last call before. */
  after: Duration;
  /** Processed dials of the step, the first call included. */
  maxAttempts: number;
  /** The delays of each outcome; an outcome that is not listed is not retried. */
  retry: Partial<Record<RetryOutcome, readonly Duration[]>>;
  /** In order; the first that matches applies. */
  on: readonly Route[];
}

/** So many processed calls of the team to the number in a rolling window. */
export interface NumberCap {
  count: number;
  per: Duration;
}

export interface Caps {
  /** Processed dials of one entry into the campaign; null: no limit. */
  maxAttempts: number | null;
  perNumber: readonly NumberCap[];
  /** The time without calls after a completed call. */
  afterConversation: Duration | null;
  /** Counts from enrollment. */
  lifetime: Duration | null;
}

/** A version's `definition`, validated. Without steps it places no calls. */
export interface CampaignDefinition {
  steps: readonly Step[];
  /** The variables of every call. */
  variables: Readonly<Record<string, unknown>>;
  /** Narrow the agent's. */
  hours: CallingHours;
  closedDates: readonly string[];
  caps: Caps;
}

/** @returns undefined for a key of no step. */
export function stepOf(definition: CampaignDefinition, key: string): Step | undefined {
  return definition.steps.find((step) => step.key === key);
}

/** The step after `step` in the order of the definition. */
export function stepAfter(definition: CampaignDefinition, step: Step): Step | undefined {
  return definition.steps[definition.steps.indexOf(step) + 1];
}

/** The first call and one for each delay. */
export function callsOf(retry: Step['retry']): number {
  return Object.values(retry).reduce((calls, delays) => calls + delays.length, 1);
}
