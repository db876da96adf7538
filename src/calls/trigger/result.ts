import { type StoredAnswer } from '../../idempotency/idempotency.js';
import { REFUSALS, type RefusalReason } from './refusals.js';

/** Stands for the id of a call's contact until the statement that stores both has told it. */
export const UNKNOWN_CONTACT = '00000000-0000-0000-0000-000000000000';

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

export function refused(reason: RefusalReason, message: string = REFUSALS[reason].message): TriggerResult {
  return { kind: 'refused', reason, message };
}
