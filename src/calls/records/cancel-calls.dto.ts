import { PENDING_STATES } from '../../domain/call-states.js';
import { MAX_PHONE_NUMBER_TEXT } from '../../domain/phone-number.js';
import { IsFlag, IsOffsetInstant, IsOneOf, MayBeAbsent } from '../../http/operator-validators.js';
import { IsText, IsUuid } from '../../http/validators.js';

/** Which pending calls an operator cancels: those that match every field that is set. */
export class CancelCalls {
  @MayBeAbsent()
  @IsOneOf(PENDING_STATES)
  status?: (typeof PENDING_STATES)[number];

  @MayBeAbsent()
  @IsUuid()
  agentId?: string;

  @MayBeAbsent()
  @IsText(MAX_PHONE_NUMBER_TEXT)
  phoneNumber?: string;

  @MayBeAbsent()
  @IsOffsetInstant()
  acceptedFrom?: string;

  @MayBeAbsent()
  @IsOffsetInstant()
  acceptedTo?: string;

  /** Counts the calls and cancels none. */
  @MayBeAbsent()
  @IsFlag()
  dryRun?: boolean;
}

/** What became of the calls. */
export interface Cancellations {
  /** Pending calls that matched when the request arrived. */
  matching: number;
  canceled: number;
  /** Pending calls that match now; a further request cancels them. */
  remaining: number;
}
