import { type StoredAnswer } from '../idempotency/idempotency.js';
import { REFUSALS, type RefusalReason } from './call-refusals.js';

/** What came of a trigger. */
export type TriggerResult =
  | { kind: 'accepted'; callRequestId: string; /** Set when scheduled for later. */ runsAt: Date | null }
  | { kind: 'refused'; reason: RefusalReason; message: string }
  /** The answer that the request's `Idempotency-Key` has got before. */
  | { kind: 'replayed'; answer: StoredAnswer };

export function refused(reason: RefusalReason, message: string = REFUSALS[reason].message): TriggerResult {
  return { kind: 'refused', reason, message };
}
