import { type RefusalOutcome } from '../domain/refused-by.js';
import { isReasonCode } from './answer-json.js';
import { type CarrierEventStatus } from './carrier.js';

/** What a platform's word for the end of a call means. */
export interface EndMeaning {
  status: Exclude<CarrierEventStatus, 'in_progress'>;
  /** Replaces the platform's word as the reason. */
  reason?: RefusalOutcome;
}

/** The stored form of a platform's word: lower-case letters and underscores; null if it cannot be stored so. */
export function reasonFrom(word: string): string | null {
  const code = word
    .toLowerCase()
    .replace(/[^a-z]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64)
    .replace(/_+$/, '');
  return isReasonCode(code) ? code : null;
}
