import { type CallState, isFinal } from '../call-states.js';
import { duration } from './duration.js';
import { lowerFirst, reasonLabel } from './labels.js';
import { transitionsOf, type TimeOf } from './record.js';

/** The fields of a call that the narrator uses. Instants are ISO 8601 in UTC. */
export interface NarratedCall {
  status: CallState;
  reason: string | null;
  runsAt: string;
  expiresAt: string;
  /** Of the request. */
  notBefore: string | null;
  waitingForLineSince: string | null;
  /**
   * Of a pending call: the instant of its last wake-up. If the carrier was unreachable or throttled the call,
   * it is the instant of the next wake-up instead.
   */
  wokenAt: string | null;
  claimedAt: string | null;
  processedAt: string | null;
  endedAt: string | null;
  callerId: string | null;
  history: readonly unknown[];
}

/** What a sentence about a call needs besides the call. */
export interface Telling {
  now: Date;
  timeOf: TimeOf;
  /** The pauses in force. During a pause, no pending call is dialed. */
  paused: { team: boolean; platform: boolean };
}

/**
 * `answer` explains in a sentence or two why the call was dialed or was not; `more` adds the consequences.
 */
export interface Narration {
  answer: string;
  more: string[];
}

/** Explains why a call was dialed, was not dialed, or still waits. Pure. */
export function tellCall(call: NarratedCall, telling: Telling): Narration {
  const { timeOf } = telling;
  const calledAt = call.processedAt ?? call.claimedAt;
  const on = calledAt === null ? '' : ` on ${timeOf(calledAt)}`;
  const why = call.reason === null ? '' : `: ${lowerFirst(reasonLabel(call.reason))}`;
  switch (call.status) {
    case 'scheduled':
    case 'queued':
      return {
        answer: `Not called yet: ${whyItWaits(call, telling)}`,
        more: [`It expires on ${timeOf(call.expiresAt)}.`],
      };
    case 'dialing':
      return dialed(call, `Being dialed since ${calledAt === null ? 'now' : timeOf(calledAt)}.`);
    case 'in_progress':
      return dialed(call, `Called${on}; the call is under way.`);
    case 'dial_unknown':
      return {
        answer: `Perhaps called${on}: the carrier gave no clear answer${why}. It is not dialed again.`,
        more: [...callerIdOf(call), 'Look the call up at the carrier, then resolve it.'],
      };
    case 'completed':
    case 'no_answer':
    case 'busy':
    case 'voicemail':
      return dialed(call, `Called${on}, and ${ENDINGS[call.status]}.`);
    case 'failed':
      return call.processedAt === null
        ? { answer: `Not called${whyNotDialed(call)}.`, more: ['It counts against no limit.'] }
        : dialed(call, `Called${on}, and it failed${why}.`);
    case 'blocked':
      return { answer: `Not called${whyBlocked(call, why)}.`, more: [] };
    case 'expired':
      return { answer: `Not called: ${whyExpired(call, timeOf)}.`, more: [] };
    case 'canceled':
      return { answer: `Not called: ${whyCanceled(call)}.`, more: [] };
  }
}

const ENDINGS = {
  completed: 'it was answered',
  no_answer: 'it was not answered',
  busy: 'it was busy',
  voicemail: 'it reached a voicemail',
} as const;

const UNREACHABLE = 'could not be reached';
const UNREACHABLE_OR_LIMITED = `${UNREACHABLE}, or its carrier account has as many calls as its limits allow`;

/**
 * A wake-up that is less than this after `now` is no retry. The call may have been woken between the read of
 * `now` and the read of the call.
 */
const SHORTEST_RETRY_MS = 1_000;

/** Why a carrier did not dial, by the cause of the last transition. */
const CARRIER_AWAY = new Map([
  ['carrier_throttled', 'took no more calls'],
  ['carrier_unreachable', UNREACHABLE],
]);

/** Names the first reason that applies, in this order: pause, concurrency slot, carrier, time or worker. */
function whyItWaits(call: NarratedCall, { now, timeOf, paused }: Telling): string {
  const { runsAt, history, waitingForLineSince, wokenAt } = call;
  if (paused.platform) return 'all calls are paused.';
  if (paused.team) return 'its team is paused.';
  const waitMs = Date.parse(runsAt) - now.getTime();
  if (waitMs <= 0 && waitingForLineSince !== null) {
    return `it waits since ${timeOf(waitingForLineSince)} for a concurrency slot, because its team has as many active calls as it may.`;
  }
  // The wake-up of a due call is later than now only because of the carrier, or a limit of the carrier account.
  const retryMs = waitMs > 0 || wokenAt === null ? 0 : Date.parse(wokenAt) - now.getTime();
  const retryAt = retryMs < SHORTEST_RETRY_MS ? null : wokenAt;
  // Neither an open circuit nor a limit adds an entry to the history: only the later wake-up shows it.
  const carrier =
    CARRIER_AWAY.get(lastCause(history) ?? '') ?? (retryAt === null ? undefined : UNREACHABLE_OR_LIMITED);
  const before = carrier === undefined ? '' : `its carrier ${carrier}; `;
  if (waitMs <= 0) {
    const due = `${before}due since ${timeOf(runsAt)}, ${duration(-waitMs)} ago.`;
    return retryAt === null
      ? `${due} It waits for a worker or for a pacing slot of its carrier.`
      : `${due} It is tried again on ${timeOf(retryAt)}, in ${duration(retryMs)}.`;
  }
  const opening = call.status === 'scheduled' ? ` ${whyScheduled(call, timeOf)}` : '';
  return `${before}to be dialed on ${timeOf(runsAt)}, in ${duration(waitMs)}.${opening}`;
}

/** A call is `scheduled` only because of its `notBefore` or of calling hours. */
function whyScheduled({ notBefore, runsAt }: NarratedCall, timeOf: TimeOf): string {
  if (notBefore === null) return 'It waits for its calling hours.';
  const asked = `Its request asked for no call before ${timeOf(notBefore)}`;
  return notBefore === runsAt ? `${asked}.` : `${asked}, and it waits for its calling hours.`;
}

function whyNotDialed({ reason, history }: NarratedCall): string {
  if (lastCause(history) !== 'carrier_refused')
    return reason === null ? '' : `: ${lowerFirst(reasonLabel(reason))}`;
  return `: the carrier refused it${reason === null ? '' : ` (${lowerFirst(reasonLabel(reason))})`}`;
}

function whyBlocked({ history }: NarratedCall, why: string): string {
  // The call was ended without a decision, when its number was added to the Do Not Call list.
  return lastCause(history) === 'do_not_call'
    ? ': the number was added to the Do Not Call list while the call waited'
    : why;
}

function whyCanceled({ history }: NarratedCall): string {
  const cause = lastCause(history);
  if (cause === 'contact_erased') return 'the contact was erased while the call waited';
  return cause === 'canceled_by_operator' ? 'an operator canceled it' : 'the team canceled it';
}

function whyExpired({ endedAt, expiresAt }: NarratedCall, timeOf: TimeOf): string {
  return endedAt !== null && endedAt < expiresAt
    ? 'it was due outside calling hours, and the next opening is too late'
    : `it expired on ${timeOf(expiresAt)}`;
}

function dialed(call: NarratedCall, answer: string): Narration {
  return { answer, more: callerIdOf(call) };
}

function callerIdOf({ callerId }: NarratedCall): string[] {
  return callerId === null ? [] : [`Its caller ID is ${callerId}.`];
}

function lastCause(history: readonly unknown[]): string | undefined {
  return transitionsOf(history).at(-1)?.cause;
}

/** The CSS class of a state: good, warn, bad, or `''`. */
export function moodOf(status: CallState): 'good' | 'warn' | 'bad' | '' {
  if (status === 'completed') return 'good';
  if (status === 'failed' || status === 'blocked') return 'bad';
  return isFinal(status) || status === 'scheduled' ? '' : 'warn';
}
