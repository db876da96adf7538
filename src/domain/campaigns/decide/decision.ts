import { GUARDRAIL_REASONS, type GuardrailReason } from '../../guardrails/guardrails.js';

/** The ends of enrollments: each status with its reasons. */
export const END_REASONS = {
  completed: ['goal', 'reached', 'no_response'],
  exited: ['suppressed', 'manual', 'contact_deleted', 'lifetime', 'archived', 'caps', 'undone'],
  failed: ['not_dialable'],
} as const;

export type End = {
  [Status in keyof typeof END_REASONS]: { status: Status; endReason: (typeof END_REASONS)[Status][number] };
}[keyof typeof END_REASONS];

/** An enrollment whose zone is not known waits for `zone`. */
const OF_GUARDRAILS = GUARDRAIL_REASONS.filter((reason) => reason !== 'ZONE_UNKNOWN');

/** What a live enrollment waits for: the reason of a guardrail, or one of the other values. */
export const WAITING_FOR = [
  ...OF_GUARDRAILS,
  'after',
  'retry',
  'callback',
  'hours',
  'caps',
  'number_busy',
  'draft',
  'paused',
  'pacing',
  'concurrency',
  'caller_id',
  'zone',
  'carrier',
  'in_call',
  'result',
  'outcome',
  'no_steps',
] as const;
export type WaitingFor = (typeof WAITING_FOR)[number] | GuardrailReason;

/** When the enrollment is dialed next, and when it is decided next. */
export interface Outlook {
  waitingFor: WaitingFor;
  /**
   * The instant of the next dial if nothing changes. Null if only a change helps, or if the lifetime of the
   * enrollment ends before the dial.
   */
  nextAttemptAt: Date | null;
  /**
   * The latest instant of the next decision, such as the next attempt, the end of the lifetime, or a minute
   * after this decision.
   */
  lookAt: Date;
}

/** What an enrollment waits for although no call of it is due. No rule about the next call is evaluated. */
export const WAITING_FOR_REPORTS: ReadonlySet<string> = new Set(['in_call', 'outcome', 'result']);

export type CampaignDecision =
  | {
      kind: 'dial';
      stepKey: string;
      agentId: string;
      variables: Readonly<Record<string, unknown>>;
      callback: boolean;
      /** What the enrollment waited for until `dueAt`. */
      waitingFor: WaitingFor;
      dueAt: Date;
    }
  /**
   * A refusal or a wait that can end without a change of settings. `callback`: whether the next dial is one
   * that a result requested.
   */
  | ({ kind: 'defer'; callback: boolean } & Outlook)
  /** A wait that ends with a change: of the configuration, a pause, a concurrency slot or an active call. */
  | ({ kind: 'hold'; callback: boolean } & Outlook)
  /** The enrollment enters the step and is decided again. */
  | { kind: 'move'; stepKey: string }
  | ({ kind: 'end' } & End)
  /** The definition has no steps, or lacks the step of the enrollment. */
  | { kind: 'idle'; lookAt: Date | null };
