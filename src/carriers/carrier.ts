/**
 * The port to the service that dials.
 *
 * - A *claim* is committed before the carrier is asked, and each claim dials at most once. An implementation
 *   must not retry or fail over, and must not use an HTTP client or SDK that does so.
 * - `in_progress` means that the carrier has accepted the call, and that the call has not ended.
 * - A `throttled` or `unreachable` request placed no call. A later claim may dial the call.
 * - Reasons are short machine-readable codes such as `carrier_timeout`. They are stored and shown, so they
 *   contain neither secrets nor phone numbers.
 */

/** The credentials of a carrier account by the names of the definition's `accountFields`. Never logged or stored. */
export type CarrierCredentials = Readonly<Record<string, string>>;

/** A team's own account at the service that dials. */
export interface CarrierAccount {
  id: string;
  credentials: CarrierCredentials;
}

/** What the worker passes to a carrier. */
export interface PlaceCallRequest {
  callRequestId: string;
  /** The call's generation at the claim. With the call request's id, it identifies one dial. */
  generation: number;
  teamId: string;
  agentId: string;
  /** The destination, in E.164. */
  to: string;
  /** The caller ID, in E.164. */
  from: string;
  prompt: string;
  firstMessage: string;
  variables: Record<string, unknown>;
  /** What the law requires to be said in the call, by the ids of rules; absent: nothing. */
  disclosures?: readonly { id: string; text: string }[];
  /** The agent's own settings for its carrier; `{}` if the agent has no settings. */
  carrierSettings: CarrierSettings;
  /** The carrier account of the agent; null or absent: the account of the deployment. */
  account?: CarrierAccount | null;
}

/** An agent's `carrierSettings`; its carrier defines the fields. */
export type CarrierSettings = Record<string, unknown>;

/**
 * A carrier's answer to one dial. `refused`, `throttled` and `unreachable` mean that no telephone rang.
 * `refused` is final. `throttled` means that the carrier limits the rate (HTTP 429). `unreachable` means that
 * no byte of the request that dials was sent. After `throttled` or `unreachable`, a call of a campaign or of
 * an erased contact ends, and any other call returns to pending. After `throttled`, the pending call waits at
 * least `retryAfterMs`, up to an hour. An ambiguous result (timeout, 5xx, reset, an unreadable answer) is
 * `unknown`: the call is never dialed again.
 */
export type PlaceCallResult =
  | { kind: 'accepted'; carrierCallId: string }
  | { kind: 'refused'; reason: string }
  | { kind: 'throttled'; reason: string; retryAfterMs: number }
  | { kind: 'unreachable'; reason: string }
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

/** The states of a call that a carrier reports. */
export type CarrierEventStatus = (typeof CARRIER_EVENT_STATUSES)[number];

/** The result of a conversation. */
export interface CarrierCallResult {
  disposition: string | null;
  callbackAt: Date | null;
  optOut: boolean;
  data: Record<string, unknown> | null;
}

/** One report about one call. Reports arrive at least once and in any order. */
export interface CarrierEvent {
  callRequestId: string;
  carrierCallId: string | null;
  status: CarrierEventStatus;
  /** The time of the event by the carrier's clock; for a final event, the end of the call. */
  at: Date;
  /** When a person or a machine answered, if the carrier reports it. */
  answeredAt?: Date;
  reason?: string;
  /** Length of the conversation, if the call was answered and has ended. */
  durationSeconds?: number;
  /** The result of the conversation, if the carrier reports it. */
  result?: CarrierCallResult;
  /** Whether this version does not know the carrier's word for the end of the call; the call is `failed` with it. */
  unknownWord?: true;
}

/** Identifies one earlier dial, also for a carrier that finds calls only by destination and time. */
export interface FindCallQuery {
  callRequestId: string;
  to: string;
  /** The caller ID that was dialed from. */
  from: string;
  claimedAt: Date;
  /** The carrier's id of the call; null if its answer to the dial was lost. */
  carrierCallId: string | null;
  /** The agent's current settings. */
  carrierSettings: CarrierSettings;
  /** The agent's current carrier account; null or absent: the account of the deployment. */
  account?: CarrierAccount | null;
}

/**
 * The result of a look-up of an earlier dial. After `not_found`, the call stays in `dial_unknown`, because a
 * listing may lag behind. `unknown`: the look-up failed. `inferred`: the carrier identifies the call only by
 * numbers and time, so the result is used only if no other call can be meant.
 */
export type FindCallResult =
  | { kind: 'found'; event: CarrierEvent; inferred?: true }
  | { kind: 'not_found' }
  | { kind: 'unknown'; reason: string };

/** Identifies a call in progress that is to end. */
export interface HangUpRequest {
  callRequestId: string;
  /** The carrier's id of the call; null if the carrier has reported the call without its id. */
  carrierCallId: string | null;
  /** The destination, in E.164 or erased. */
  to: string;
  /** Whether a report has said that the call was answered. */
  answered: boolean;
  /** The agent's current settings. */
  carrierSettings: CarrierSettings;
  /** The agent's current carrier account; null or absent: the account of the deployment. */
  account?: CarrierAccount | null;
}

/**
 * A carrier's answer to the request to hang up.
 *
 * - `accepted`: the carrier ends the call and reports its end. `event` is the end, if the answer contains it.
 * - `not_in_progress`: the carrier has no such call, or the call has ended.
 * - `cannot_hang_up`: the service behind the carrier does not have this request.
 * - `not_done`: the call certainly goes on, for example because the carrier was unreachable.
 * - `unknown`: the call may have been hung up. The request may be repeated.
 */
export type HangUpResult =
  | { kind: 'accepted'; event?: CarrierEvent }
  | { kind: 'not_in_progress' | 'cannot_hang_up' }
  | { kind: 'not_done' | 'unknown'; reason: string };

/** Identifies an ended call of an erased person. */
export interface EraseCallRequest {
  carrierCallId: string;
  /** The carrier account of the call; null: the account of the deployment. */
  account: CarrierAccount | null;
}

/**
 * What became of a call at the service that dialed. After `not_done` it may still be there, and the request is
 * repeated.
 */
export type EraseCallResult = { kind: 'erased' | 'not_found' } | { kind: 'not_done'; reason: string };

/** The account and the agents that a check is about; without them, a check is about the deployment's account. */
export interface CheckSubject {
  account?: CarrierAccount | null;
  /** The settings of the agents that dial with the account. */
  settings?: readonly CarrierSettings[];
  /** Since when the account has its credentials, if that is known. */
  credentialsSince?: Date;
}

/** Whether a carrier can be used, item by item, such as its credentials and each number. */
export interface CarrierCheck {
  ok: boolean;
  items: { what: string; ok: boolean; detail: string }[];
}

/** Receives a carrier's events. If it rejects, the carrier may deliver the event again. */
export type CarrierEventListener = (event: CarrierEvent) => Promise<void>;

/**
 * A service that dials. Use `placeCall`, `findCall` and `hangUp` only through `placeCallBounded`,
 * `findCallBounded` and `hangUpBounded`, which turn exceptions and late answers into `unknown`.
 */
export interface Carrier {
  readonly name: string;
  /** A warning for operators, logged once at start. */
  readonly banner?: string;
  /**
   * The longest duration of `placeCall`, `findCall` and `hangUp`, in ms. The sweeper waits at least this long before it
   * marks a dial as unknown.
   */
  readonly timeoutMs: number;
  /**
   * How long after the claim a call in progress is looked up if its end was not reported, in ms. For a carrier
   * whose reports are lost with the process that dialed. Unset: look-ups begin after
   * `CALL_TIME_LIMIT_SECONDS`.
   */
  readonly lookUpAfterMs?: number;
  /** Calls per second that the carrier accepts from all workers; null: no limit. `Pacer` keeps the limit. */
  readonly callsPerSecond: number | null;
  /**
   * Whether the deployment itself has an account. False: each agent needs a carrier account of its team. Absent:
   * true.
   */
  readonly hasOwnAccount?: boolean;
  /**
   * Returns the problem with an agent's settings as a sentence that names the field, or null if they are
   * valid. Example: `carrierSettings.url must be an https:// URL`. Called when an operator changes an agent.
   */
  checkSettings?(settings: CarrierSettings): string | null;
  /** The host to which calls with these settings are sent, if agents have different hosts. */
  hostOf?(settings: CarrierSettings): string;
  /**
   * Checks whether credentials and caller IDs work, without dialing.
   *
   * @param numbers caller IDs in E.164.
   */
  check?(numbers: readonly string[], signal: AbortSignal, subject?: CheckSubject): Promise<CarrierCheck>;
  /**
   * Called once in the process that dials, before the first dial. Creating a carrier opens no connection.
   *
   * @throws Error if the carrier cannot dial.
   */
  start?(): void;
  /** Dials at most once. After `signal` has aborted, the carrier sends nothing more. */
  placeCall(request: PlaceCallRequest, signal: AbortSignal): Promise<PlaceCallResult>;
  findCall(query: FindCallQuery, signal: AbortSignal): Promise<FindCallResult>;
  /**
   * Ends a call in progress. A repeated request does no harm. Absent: the carrier cannot hang up. Any process
   * may call it, also one in which the carrier was not started.
   */
  hangUp?(request: HangUpRequest, signal: AbortSignal): Promise<HangUpResult>;
  /**
   * Erases what the service keeps of an ended call. A repeated request does no harm. Absent: the service has no such
   * request. Present if, and only if, the definition says `erasesCalls`.
   */
  eraseCall?(request: EraseCallRequest, signal: AbortSignal): Promise<EraseCallResult>;
  /** Present only if events arise in this process; other carriers report by HTTP callback. */
  onEvent?(listener: CarrierEventListener): void;
  close(): Promise<void>;
}
