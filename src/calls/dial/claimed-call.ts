import { type PlaceCallRequest } from '../../carriers/carrier.js';
import { type Slot } from '../../pacing/pacer.js';

/** A call that this worker has claimed, and alone may ask its carrier for. */
export interface ClaimedCall {
  carrier: string;
  request: PlaceCallRequest;
  /** `performance.now()` before the claim was sent. */
  claimedAtMonotonic: number;
  /** The pacing slot with the carrier, where that is paced. */
  slot?: Slot;
  /** Of a campaign: it is never pending again, and a dial that was not made ends it. */
  ofCampaign?: boolean;
  /** Of the HTTP request that asked for the call, for the log. */
  requestId?: string;
}
