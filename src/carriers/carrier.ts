/**
 * The port to whatever really dials.
 *
 * - A *claim* is committed before a carrier is asked, and each claim is asked for once: no implementation may retry,
 *   let its HTTP client or SDK retry, or fail over.
 * - `in_progress` means that the carrier has accepted the call and it is under way, ringing or talking.
 * - Reasons are short machine-readable words such as `carrier_timeout`. They are stored and shown, so they carry
 *   neither secrets nor phone numbers.
 */

/** What the worker hands to a carrier. */
export interface PlaceCallRequest {
  callRequestId: string;
  teamId: string;
  agentId: string;
  /** The destination, in E.164. */
  to: string;
  /** The caller ID, in E.164. */
  from: string;
  prompt: string;
  firstMessage: string;
  variables: Record<string, unknown>;
}

/**
 * A carrier's answer to one dial. `refused` is only for what certainly rang nobody; whatever is ambiguous (timeout,
 * 5xx, reset, an unreadable answer) is `unknown`, and is never dialed again by itself.
 */
export type PlaceCallResult =
  | { kind: 'accepted'; carrierCallId: string }
  | { kind: 'refused'; reason: string }
  | { kind: 'unknown'; reason: string };

/** Every status a carrier can report of a call; all but the first are final. */
export const CARRIER_EVENT_STATUSES = [
  'in_progress',
  'completed',
  'no_answer',
  'busy',
  'voicemail',
  'failed',
] as const;

/** What a carrier says has become of a call. */
export type CarrierEventStatus = (typeof CARRIER_EVENT_STATUSES)[number];

/** One report about one call. Reports arrive at least once and in any order. */
export interface CarrierEvent {
  callRequestId: string;
  carrierCallId: string | null;
  status: CarrierEventStatus;
  /** When it happened, by the carrier's clock. */
  at: Date;
  reason?: string;
  /** Time talked, where the call was answered and has ended. */
  durationSeconds?: number;
}

/** Names one earlier dial, for a carrier that may know calls only by destination and time. */
export interface FindCallQuery {
  callRequestId: string;
  to: string;
  claimedAt: Date;
}

/**
 * What a carrier knows of an earlier dial. `not_found` resolves nothing: a listing may lag behind, so the claim keeps
 * counting. `unknown` says that the carrier could not be asked.
 */
export type FindCallResult =
  { kind: 'found'; event: CarrierEvent } | { kind: 'not_found' } | { kind: 'unknown'; reason: string };

/** Receives a carrier's events; when it rejects, the carrier delivers the event again a few times. */
export type CarrierEventListener = (event: CarrierEvent) => Promise<void>;

/**
 * Something that dials. Call `placeCall` and `findCall` through `placeCallBounded` and `findCallBounded`, which turn
 * exceptions and overlong answers into `unknown`.
 */
export interface Carrier {
  readonly name: string;
  /** Said once at start, where operators must not overlook something. */
  readonly banner?: string;
  /** How long one request to the carrier may take; the sweeper waits for it before it calls a dial unknown. */
  readonly timeoutMs: number;
  /** Asks the carrier once. After `signal` has aborted, nothing may be sent any more. */
  placeCall(request: PlaceCallRequest, signal: AbortSignal): Promise<PlaceCallResult>;
  findCall(query: FindCallQuery, signal: AbortSignal): Promise<FindCallResult>;
  /** Present only where events arise in this process; other carriers report by HTTP callback. */
  onEvent?(listener: CarrierEventListener): void;
  close(): Promise<void>;
}
