import { type DialJob } from '../../queue/wake-ups.js';
import { type IdempotencyKey, type StoredAnswer } from '../../idempotency/idempotency.js';
import { type RequestTrace } from '../../telemetry/request-trace.js';
import { REFUSALS, type RefusalReason } from './refusals.js';
import { type TriggerRequest } from './request.js';

/** A request that is well-formed in itself. */
export interface TriggerCommand {
  /** The team of the API key, as it was known before the transaction. */
  teamId: string;
  agentId: string;
  keyHash: Buffer;
  request: TriggerRequest;
  key: IdempotencyKey | null;
  trace: RequestTrace;
}

/** What came of a trigger. */
export type TriggerResult =
  | {
      kind: 'accepted';
      callRequestId: string;
      contactId: string;
      /** Set when scheduled for later. */
      runsAt: Date | null;
    }
  | { kind: 'refused'; reason: RefusalReason; message: string }
  /** The answer that the request's `Idempotency-Key` has got before. */
  | { kind: 'replayed'; answer: StoredAnswer };

/** What a request comes to, and what is left to do after the commit. */
export interface TriggerOutcome {
  result: TriggerResult;
  wake?: { job: DialJob; delayMs: number };
}

export function refused(reason: RefusalReason, message: string = REFUSALS[reason].message): TriggerResult {
  return { kind: 'refused', reason, message };
}
