import { fieldRule } from '../../http/field-rule.js';
import { MayBeAbsent } from '../../http/operator-validators.js';

/** A sequence of events, or 0 before the first. */
function IsSequence(): PropertyDecorator {
  const fault = (value: unknown) =>
    Number.isSafeInteger(value) && (value as number) >= 0
      ? null
      : 'must be a sequence, a whole number from 0';
  return fieldRule('isSequence', fault, { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
}

/** Body of a replay: the events after `after`, up to and including `until`. */
export class ReplayEvents {
  @IsSequence()
  after: number;

  /** Absent: the newest. */
  @MayBeAbsent()
  @IsSequence()
  until?: number;
}

/** What a replay has done. */
export interface ReplayedEvents {
  /** Deliveries that are due now. */
  deliveries: number;
  /** Where the next replay begins; null: every event was looked at. */
  nextAfter: number | null;
}
