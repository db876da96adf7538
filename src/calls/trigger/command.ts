import { type DialJob } from '../../queue/wake-ups.js';
import { type IdempotencyKey, type StoredAnswer } from '../../idempotency/idempotency.js';
import { type RequestTrace } from '../../telemetry/request-trace.js';
import { REFUSALS, type RefusalReason } from './refusals.js';
import { type TriggerRequest } from './request.js';

/** A well-formed request. */
export interface TriggerCommand {
  /** The team of the API key, as known before the transaction, which checks the key again. */
  teamId: string;
  agentId: string;
  keyHash: Buffer;
  request: TriggerRequest;
  key: IdempotencyKey | null;
  trace: RequestTrace;
}

/** The result of a trigger. */
export type TriggerResult =
  | {
      kind: 'accepted';
      callRequestId: string;
      contactId: string;
      /** Set when scheduled for later. */
      runsAt: Date | null;
    }
  | { kind: 'refused'; reason: RefusalReason; message: string }
  /** The stored answer of the request's `Idempotency-Key`. */
  | { kind: 'replayed'; answer: StoredAnswer };

/** The result of a request, and the wake-up to add after the commit. */
export interface TriggerOutcome {
  result: TriggerResult;
  wake?: { job: DialJob; delayMs: number };
}

export function refused(reason: RefusalReason, message: string = REFUSALS[reason].message): TriggerResult {
  return { kind: 'refused', reason, message };
}
