import { type Warned } from '../../domain/near-misses.js';
import { type Problem } from '../../http/app-error.js';
import { type DialJob } from '../../queue/wake-ups.js';
import { type IdempotencyKey, type StoredAnswer } from '../../idempotency/idempotency.js';
import { type RequestTrace } from '../../telemetry/request-trace.js';
import { REFUSALS, type RefusalReason } from './refusals.js';
import { type TriggerRequest } from './request.js';

/** A well-formed request. */
export interface TriggerCommand {
  /** The team of the API key, as known before the transaction. The transaction checks the key again. */
  teamId: string;
  agentId: string;
  keyHash: Buffer;
  request: TriggerRequest;
  warned: Warned;
  key: IdempotencyKey | null;
  trace: RequestTrace;
}

/** `problems`: the faults that `message` names, one by one; null: the message is the only fault. */
export interface Refused extends Warned {
  kind: 'refused';
  reason: RefusalReason;
  message: string;
  problems: readonly Problem[] | null;
  /** What helps the client, where the contract fixes the message. */
  hint?: string;
}

/** The result of a trigger. */
export type TriggerResult =
  | (Warned & {
      kind: 'accepted';
      callRequestId: string;
      contactId: string;
      /** Set if the call is scheduled for later. */
      runsAt: Date | null;
    })
  | Refused
  /** The stored answer of the request's `Idempotency-Key`. */
  | { kind: 'replayed'; answer: StoredAnswer };

/** The result of a request, and the wake-up to add after the commit. */
export interface TriggerOutcome {
  result: TriggerResult;
  wake?: { job: DialJob; delayMs: number };
}

export function refused(
  reason: RefusalReason,
  message: string = REFUSALS[reason].message,
  problems: readonly Problem[] | null = null,
  warned: Warned = {},
): Refused {
  return { kind: 'refused', reason, message, problems, ...warned };
}
