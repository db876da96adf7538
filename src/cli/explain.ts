import { type CallResource } from '../calls/records/calls-admin.service.js';
import { tellCall, type Telling } from '../domain/narrator/call.js';
import { NOT_JUDGED, tellDecisions, tellHistory, type ToldRule } from '../domain/narrator/record.js';

/** Why a call was or was not dialed, in lines of text: the answer first, then what led to it. Instants are ISO 8601. */
export function explainCall(call: CallResource, situation: Omit<Telling, 'timeOf'>): string[] {
  const timeOf = (at: string) => at;
  const { answer, more } = tellCall(call, { ...situation, timeOf });
  const decisions = tellDecisions(call, timeOf);
  return [
    `Call ${call.callRequestId} to ${call.phoneNumber}: ${call.status}.`,
    [answer, ...more].join(' '),
    '',
    'What happened:',
    ...tellHistory(call.history).map(({ at, to, cause }) => `  ${at}  ${to}  ${cause}`),
    ...decisions.flatMap(({ at, title, rules }) => ['', `${title} (${at})`, ...rules.map(ruleLine)]),
    ...(decisions.length === 0 ? ['', NOT_JUDGED] : []),
  ];
}

function ruleLine({ allow, title, text, olderCallId }: ToldRule): string {
  const call = olderCallId === null ? '' : ` It is ${olderCallId}.`;
  return `  ${allow ? 'passed ' : 'REFUSED'}  ${title}: ${text}${call}`;
}
