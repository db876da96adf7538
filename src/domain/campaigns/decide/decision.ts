import { GUARDRAIL_REASONS, type GuardrailReason } from '../../guardrails/guardrails.js';

/** The ends of enrollments: each status with its reasons. */
export const END_REASONS = {
  completed: ['goal', 'reached', 'no_response'],
  exited: ['suppressed', 'manual', 'contact_deleted', 'lifetime', 'archived', 'caps'],
  failed: ['not_dialable'],
} as const;

export type End = {
  [Status in keyof typeof END_REASONS]: { status: Status; endReason: (typeof END_REASONS)[Status][number] };
}[keyof typeof END_REASONS];

/** What a live enrollment waits for: a guardrail's reason as it is, or one of these. */
export const WAITING_FOR = [
  ...GUARDRAIL_REASONS,
  'after',
  'retry',
  'callback',
  'hours',
  'caps',
  'number_busy',
  'paused',
  'pacing',
  'concurrency',
  'caller_id',
  'carrier',
  'in_call',
  'result',
  'outcome',
] as const;
export type WaitingFor = (typeof WAITING_FOR)[number] | GuardrailReason;

/** When the enrollment is dialed next, and when it is decided next. */
export interface Outlook {
  waitingFor: WaitingFor;
  /**
   * The next instant at which it is dialed if nothing changes. Null where only a change helps, and where its
   * lifetime ends before.
   */
  nextAttemptAt: Date | null;
  /**
   * When it is decided again at the latest: at the attempt, at the end of its lifetime, or after a minute.
   */
  lookAt: Date;
}

export type CampaignDecision =
  | {
      kind: 'dial';
      stepKey: string;
      agentId: string;
      variables: Readonly<Record<string, unknown>>;
      callback: boolean;
    }
  /** A refusal by time, which ends without a change. */
  | ({ kind: 'defer' } & Outlook)
  /** A refusal by configuration, a pause or an active call, which ends with a change. */
  | ({ kind: 'hold' } & Outlook)
  /** Enter the step, and decide again. */
  | { kind: 'move'; stepKey: string }
  | ({ kind: 'end' } & End)
  /** The definition has no steps, or has no such step. */
  | { kind: 'idle'; lookAt: Date | null };
