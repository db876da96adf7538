import { type CallResource } from '../calls/records/calls-admin.service.js';
import { explainRule, type StoredRule } from '../domain/guardrails/explain.js';
import { type HistoryEntry } from '../domain/call-states.js';
import { type Decision, guardrailOf } from '../domain/guardrails/guardrails.js';

/** What holds calls back now, whatever their own state. */
export interface Pauses {
  team: boolean;
  platform: boolean;
}

/** Why a call was or was not dialed, in lines of plain words: the answer first, then what led to it. */
export function explainCall(call: CallResource, pauses: Pauses): string[] {
  const decisions = call.decisions as Decision[];
  return [
    `Call ${call.callRequestId} to ${call.phoneNumber}: ${call.status}.`,
    answerOf(call, decisions.at(-1), pauses),
    '',
    'What happened:',
    ...(call.history as HistoryEntry[]).map(
      ({ at, to, cause }) => `  ${at}  ${to} (${cause.replaceAll('_', ' ')})`,
    ),
    ...decisions.flatMap(judgement),
    ...(decisions.length === 0
      ? ['', 'No rule has judged it yet: that happens when it is about to be dialed.']
      : []),
  ];
}

function answerOf(call: CallResource, decision: Decision | undefined, pauses: Pauses): string {
  switch (call.status) {
    case 'scheduled':
    case 'queued':
      return `It has not been dialed yet: ${whatItWaitsFor(call, pauses)} It is given up at ${call.expiresAt}.`;
    case 'blocked':
      return `It was not dialed, and will not be: ${blockedBy(call, decision)}.`;
    case 'expired':
      return call.endedAt !== null && call.endedAt < call.expiresAt
        ? 'It was not dialed: it came up outside calling hours, and the next slot is too late for it.'
        : `It was not dialed: nobody could dial it before it expired at ${call.expiresAt}.`;
    case 'canceled':
      return 'It was not dialed: it was canceled first.';
    case 'dialing':
      return `It is being dialed, from ${call.callerId}, since ${call.claimedAt}.`;
    case 'dial_unknown':
      return (
        `It may have been dialed, from ${call.callerId}, at ${call.claimedAt}: nobody knows (${call.reason ?? 'no word'}). ` +
        'It is never dialed again. Ask the carrier, then: call resolve.'
      );
    case 'in_progress':
    case 'completed':
    case 'no_answer':
    case 'busy':
    case 'voicemail':
      return `It was dialed, from ${call.callerId}, at ${call.claimedAt}: every rule agreed at that moment.`;
    case 'failed':
      return call.processedAt === null
        ? `It reached nobody: ${failureOf(call.reason)}. It counts against no limit.`
        : `It was dialed, from ${call.callerId}, at ${call.claimedAt}, and failed${call.reason ? `: ${call.reason}` : ''}.`;
  }
}

/** Why a carrier did not dial, by the cause of the call's last move. */
const WAITS_FOR_CARRIER: Partial<Record<string, string>> = {
  carrier_throttled: 'takes no more calls just now',
  carrier_unreachable: 'could not be reached',
};

function whatItWaitsFor({ status, runsAt, history }: CallResource, pauses: Pauses): string {
  if (pauses.platform) return 'everything is paused (resume).';
  if (pauses.team) return 'its team is paused (team resume).';
  const carrier = WAITS_FOR_CARRIER[(history as HistoryEntry[]).at(-1)?.cause ?? ''];
  if (carrier !== undefined)
    return `its carrier ${carrier}, and is asked again, with pauses of up to 5 minutes.`;
  return status === 'scheduled'
    ? `it waits for ${runsAt}, when calling hours allow it.`
    : `it was due at ${runsAt}, and waits for a worker.`;
}

function blockedBy({ reason }: CallResource, decision: Decision | undefined): string {
  if (reason === 'NO_CALLER_ID')
    return 'there was no number left to call from (active, and enabled for outbound)';
  const rule = decision?.rules.find((judged) => judged.reason === reason && !judged.allow);
  if (rule) return explanationOf(rule);
  // Ended by an addition to the list rather than by a judgement.
  if (reason === 'DO_NOT_CALL') return 'the number was put on the Do Not Call list while the call waited';
  return reason ?? 'no reason was kept';
}

function failureOf(reason: string | null): string {
  if (reason === 'NOT_DIALED')
    return 'the worker did not come to dial it in time after claiming it, so it did not';
  if (reason === 'CARRIER_NOT_CONFIGURED') return 'its agent names a carrier that is not configured';
  return `the carrier refused it${reason === null ? '' : ` (${reason})`}`;
}

function judgement(decision: Decision): string[] {
  return [
    '',
    `What the rules said at ${decision.at}:`,
    ...decision.rules.map((rule) => {
      const title = guardrailOf(rule.reason)?.title ?? rule.reason;
      return `  ${rule.allow ? 'passed ' : 'REFUSED'}  ${title}: ${explanationOf(rule)}.`;
    }),
  ];
}

/** Without its full stop; with the call that was in the way, which pages link. */
function explanationOf(rule: StoredRule): string {
  const { olderPendingCallId } = rule.evidence;
  const call = typeof olderPendingCallId === 'string' ? `: ${olderPendingCallId}` : '';
  return explainRule(rule, (instant) => instant).replace(/\.$/, '') + call;
}
