import { fieldRule } from '../../http/field-rule.js';
import { MayBeAbsent } from '../../http/operator-validators.js';

/** The sequence of an event, or 0, which is before the first event. */
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

  /** Absent: up to the newest event. */
  @MayBeAbsent()
  @IsSequence()
  until?: number;
}

/** What a replay has done. */
export interface ReplayedEvents {
  /** Deliveries that are due now. */
  deliveries: number;
  /** The `after` of the next replay; null: every event was looked at. */
  nextAfter: number | null;
}
