import { type CallListItem, type CallOfNumber } from '../../calls/records/calls-admin.service.js';
import { isFinal } from '../../domain/call-states.js';
import { type Decision } from '../../domain/guardrails/guardrails.js';
import { duration } from './local-time.js';
import { reasonWords } from './words.js';

/** What a sentence about a call needs besides it. */
export interface Telling {
  now: Date;
  /** Instants as the page shows them. */
  timeOf: (at: string) => string;
}

const ENDINGS: Partial<Record<CallListItem['status'], string>> = {
  completed: 'and it was answered',
  no_answer: 'and nobody answered',
  busy: 'and it was busy',
  voicemail: 'and it reached a voicemail',
};

/** Why this person was called, or was not. */
export function verdictOf(call: CallListItem, { now, timeOf }: Telling): string {
  const why = call.reason === null ? '' : `: ${lowerFirst(reasonWords(call.reason))}`;
  const calledAt = call.processedAt ?? call.claimedAt;
  const called = calledAt === null ? 'Called' : `Called on ${timeOf(calledAt)}`;
  switch (call.status) {
    case 'scheduled':
    case 'queued': {
      if (call.waitingForLineSince !== null) {
        return `Not called yet: waits since ${timeOf(call.waitingForLineSince)}, because its team has as many calls under way as it may.`;
      }
      const waitMs = Date.parse(call.runsAt) - now.getTime();
      return waitMs > 0
        ? `Not called yet: to be dialed on ${timeOf(call.runsAt)}, in ${duration(waitMs)}.`
        : `Not called yet: due since ${timeOf(call.runsAt)}, ${duration(-waitMs)} ago.`;
    }
    case 'dialing':
      return `Being dialed since ${calledAt === null ? 'now' : timeOf(calledAt)}.`;
    case 'in_progress':
      return `${called}; the call is under way.`;
    case 'dial_unknown':
      return `Perhaps called${calledAt === null ? '' : ` on ${timeOf(calledAt)}`}: the carrier gave no clear answer${why}. It is not dialed again by itself.`;
    case 'completed':
    case 'no_answer':
    case 'busy':
    case 'voicemail':
      return `${called}, ${ENDINGS[call.status]}.`;
    case 'failed':
      return call.processedAt === null
        ? `Not called; nobody was reached${why}.`
        : `${called}, and it failed${why}.`;
    case 'blocked':
      return `Not called${why}.`;
    case 'expired':
      return call.endedAt !== null && call.endedAt < call.expiresAt
        ? 'Not called: it came up outside calling hours, and the next slot is too late for it.'
        : `Not called: its time ran out on ${timeOf(call.expiresAt)}.`;
    case 'canceled':
      return 'Not called: the team canceled it.';
  }
}

export function moodOf(call: CallListItem): 'good' | 'warn' | 'bad' | '' {
  if (call.status === 'completed') return 'good';
  if (call.status === 'failed' || call.status === 'blocked') return 'bad';
  return isFinal(call.status) || call.status === 'scheduled' ? '' : 'warn';
}

/** The decisions kept with a call; what an older version wrote differently is left out. */
export function decisionsOf(call: CallOfNumber): Decision[] {
  return call.decisions.filter(isDecision);
}

function isDecision(value: unknown): value is Decision {
  if (typeof value !== 'object' || value === null) return false;
  const { at, rules } = value as Partial<Decision>;
  return (
    typeof at === 'string' &&
    Array.isArray(rules) &&
    rules.every((rule) => typeof rule?.evidence === 'object')
  );
}

/** One line of a call's history, as far as it has the shape. */
export interface Move {
  at: string;
  to: string;
  cause: string;
}

export function historyOf(call: CallListItem): Move[] {
  return call.history.filter((entry): entry is Move => {
    if (typeof entry !== 'object' || entry === null) return false;
    const { at, to, cause } = entry as Partial<Move>;
    return typeof at === 'string' && typeof to === 'string' && typeof cause === 'string';
  });
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
