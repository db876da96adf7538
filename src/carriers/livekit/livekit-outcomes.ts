import { type CarrierEventStatus, type HangUpResult, type PlaceCallResult } from '../carrier.js';
import { type RefusalOutcome } from '../../domain/refused-by.js';
import { isNetworkBlock } from '../sip-603-plus.js';
import { type FailureKind } from './once-rpc.js';

type End = Exclude<CarrierEventStatus, 'in_progress'>;

/**
 * The meaning of a SIP status for a call. `rang`: whether a telephone may have rung. `reason`: who refused
 * the call; absent: the status itself is the reason.
 */
export interface SipMeaning {
  end: End;
  rang: boolean;
  reason?: RefusalOutcome;
}

/**
 * SIP statuses that end a call before it is answered. Any other status means `failed`, possibly after
 * ringing.
 */
export const SIP_STATUSES: Readonly<Record<number, SipMeaning>> = {
  401: { end: 'failed', rang: false },
  403: { end: 'failed', rang: false },
  404: { end: 'failed', rang: false },
  407: { end: 'failed', rang: false },
  408: { end: 'no_answer', rang: true },
  410: { end: 'failed', rang: false },
  480: { end: 'no_answer', rang: true },
  484: { end: 'failed', rang: false },
  486: { end: 'busy', rang: true },
  487: { end: 'no_answer', rang: true },
  488: { end: 'failed', rang: false },
  600: { end: 'busy', rang: true },
  603: { end: 'failed', rang: true, reason: 'declined' },
  604: { end: 'failed', rang: false },
  606: { end: 'failed', rang: false },
  607: { end: 'failed', rang: true, reason: 'declined' },
  608: { end: 'failed', rang: true, reason: 'network_blocked' },
};

const NETWORK_BLOCKED: SipMeaning = { end: 'failed', rang: true, reason: 'network_blocked' };

/** @param networkBlocked whether the answer is a 603+, by {@link isNetworkBlock}. */
export function sipMeaning(status: number, networkBlocked = false): SipMeaning {
  if (status === 603 && networkBlocked) return NETWORK_BLOCKED;
  return SIP_STATUSES[status] ?? { end: 'failed', rang: true };
}

/**
 * The meaning of a `Reason` header, such as `SIP;cause=603;text="v=analytics1;…"`. Undefined unless it says
 * who refused the call.
 */
export function reasonHeaderMeaning(header: string): SipMeaning | undefined {
  const cause = /^\s*SIP\s*;.*\bcause\s*=\s*(\d{3})\b/i.exec(header)?.[1];
  const meaning = cause === undefined ? undefined : sipMeaning(Number(cause), isNetworkBlock(header));
  return meaning?.reason === undefined ? undefined : meaning;
}

/**
 * The reason why a participant left, and the outcomes of an answered and of an unanswered call. If the
 * outcome is null, the participant continues in another connection or room.
 */
export interface DisconnectMeaning {
  code: string;
  answered: End | null;
  unanswered: End | null;
}

const hungUp = { answered: 'completed', unanswered: 'no_answer' } as const;
const brokeOff = { answered: 'failed', unanswered: 'failed' } as const;

/** LiveKit's `DisconnectReason`, by its number. */
export const DISCONNECT_REASONS: Readonly<Record<number, DisconnectMeaning>> = {
  0: { code: 'unknown_reason', answered: 'completed', unanswered: 'failed' },
  // For an unanswered call, this reason means that the SIP service gave up because the trunk failed.
  1: { code: 'client_initiated', answered: 'completed', unanswered: 'failed' },
  2: { code: 'duplicate_identity', answered: null, unanswered: null },
  3: { code: 'server_shutdown', ...brokeOff },
  4: { code: 'participant_removed', ...hungUp },
  5: { code: 'room_deleted', ...hungUp },
  6: { code: 'state_mismatch', ...brokeOff },
  7: { code: 'join_failure', ...brokeOff },
  8: { code: 'migration', answered: null, unanswered: null },
  9: { code: 'signal_close', ...brokeOff },
  10: { code: 'room_closed', ...hungUp },
  11: { code: 'user_unavailable', ...hungUp },
  12: { code: 'user_rejected', answered: 'completed', unanswered: 'busy' },
  13: { code: 'sip_trunk_failure', ...brokeOff },
  14: { code: 'connection_timeout', ...brokeOff },
  15: { code: 'media_failure', ...brokeOff },
  16: { code: 'agent_error', ...brokeOff },
};

export function disconnectMeaning(reason: number): DisconnectMeaning {
  return DISCONNECT_REASONS[reason] ?? { ...DISCONNECT_REASONS[0]!, code: 'other_reason' };
}

/** Values of the attribute `sip.callStatus` that occur only after a call was answered. */
export const ANSWERED_STATUSES: ReadonlySet<string> = new Set(['automation', 'active', 'hangup']);

/** Values of an agent's `outdial.answeredBy` that mean that a machine answered. */
export const MACHINES: ReadonlySet<string> = new Set([
  'machine',
  'machine-vm',
  'machine-unavailable',
  'voicemail',
]);

/** Twirp errors that LiveKit returns before it does anything. */
const NOT_DONE = new Set([
  'bad_route',
  'failed_precondition',
  'invalid_argument',
  'malformed',
  'not_found',
  'out_of_range',
  'permission_denied',
  'unauthenticated',
]);

/**
 * The result of a dial that failed at its first request, which dispatches the agent. No telephone rang,
 * because the SIP request was not sent. If LiveKit cannot be reached, does not answer, or answers 5xx, the
 * result is `unreachable`.
 */
export function dispatchFailure(failure: FailureKind): PlaceCallResult {
  const away = failure.kind === 'answered' ? failure.status >= 500 : failure.kind !== 'not_sent';
  return away ? { kind: 'unreachable', reason: reasonOf(failure) } : refusal(failure);
}

function refusal(failure: FailureKind): PlaceCallResult {
  if (failure.kind === 'answered' && isThrottled(failure)) {
    return { kind: 'throttled', reason: 'livekit_resource_exhausted', retryAfterMs: failure.retryAfterMs };
  }
  return { kind: 'refused', reason: reasonOf(failure) };
}

/** The result of a dial whose SIP request failed without a SIP status. */
export function dialFailure(failure: FailureKind): PlaceCallResult {
  if (failure.kind === 'not_sent') return refusal(failure);
  if (failure.kind === 'unreachable') return { kind: 'unreachable', reason: failure.reason };
  if (failure.kind === 'answered' && (isThrottled(failure) || isDefinite(failure))) return refusal(failure);
  return { kind: 'unknown', reason: reasonOf(failure) };
}

/** The result of a hang-up whose request failed. LiveKit removes a room as soon as its call has ended. */
export function hangUpFailure(failure: FailureKind): HangUpResult {
  if (failure.kind === 'broken') return { kind: 'unknown', reason: failure.reason };
  if (failure.kind !== 'answered') return { kind: 'not_done', reason: failure.reason };
  if (failure.twirp === 'not_found') return { kind: 'not_in_progress' };
  const kind = isThrottled(failure) || isDefinite(failure) ? 'not_done' : 'unknown';
  return { kind, reason: reasonOf(failure) };
}

type Answered = Extract<FailureKind, { kind: 'answered' }>;

function isThrottled({ status, twirp }: Answered): boolean {
  return status === 429 || twirp === 'resource_exhausted';
}

// A 4xx without a Twirp error comes from a proxy in between, which may have passed the request on.
function isDefinite({ status, twirp }: Answered): boolean {
  return status >= 400 && status < 500 && twirp !== null && NOT_DONE.has(twirp);
}

function reasonOf(failure: FailureKind): string {
  if (failure.kind !== 'answered') return failure.reason;
  if (failure.twirp !== null) return `livekit_${failure.twirp}`;
  return failure.status === 401 ? 'livekit_unauthenticated' : `carrier_http_${failure.status}`;
}
