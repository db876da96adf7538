import { type EnrollmentDetail } from '../campaigns/records/enrollment.dto.js';
import { type CallResource } from '../calls/records/calls-admin.service.js';
import { type CallView } from '../calls/records/calls.service.js';
import { shownNumber } from '../domain/erased-number.js';
import { tellCall, type Telling } from '../domain/narrator/call.js';
import { tellTimeline } from '../domain/narrator/timeline.js';
import { tellWhyNot } from '../domain/narrator/why-not.js';
import {
  NOT_EVALUATED,
  tellDecisions,
  tellHistory,
  type ToldLaw,
  type ToldRule,
} from '../domain/narrator/record.js';
import { type Output } from './command.js';

/**
 * Why a call was or was not dialed, in lines of text: the answer first, then the history and the decisions.
 * Instants are ISO 8601.
 */
export function explainCall(call: CallResource, situation: Omit<Telling, 'timeOf'>): string[] {
  const { answer, more } = tellCall(call, { ...situation, timeOf });
  return [
    `Call ${call.callRequestId} to ${shownNumber(call.phoneNumber)}: ${call.status}.`,
    [answer, ...more].join(' '),
    '',
    ...historyLines(call.history),
    ...decisionLines(call),
  ];
}

/** A call's fields, and what happened to it as text. */
export function callOutput(call: CallResource | CallView): Output {
  const { history, ...fields } = call;
  if (!('decisions' in fields)) {
    return { kind: 'record', value: call, shown: fields, note: historyLines(history).join('\n') };
  }
  const { decisions, ...shown } = fields;
  const { acceptedAt } = fields;
  const lines = [...historyLines(history), ...decisionLines({ acceptedAt, decisions })];
  return { kind: 'record', value: call, shown, note: lines.join('\n') };
}

/** An enrollment's fields, why it is not dialed now, and its timeline as text. */
export function enrollmentOutput(enrollment: EnrollmentDetail): Output {
  const { whyNot, timeline, ...shown } = enrollment;
  const lines = tellTimeline(timeline, timeOf, (id) => id).map(
    ({ at, text, callRequestId }) => `  ${at}  ${text}${callRequestId === null ? '' : ` (${callRequestId})`}`,
  );
  const note = [
    ...(whyNot === null ? [] : ['Why it is not dialed now:', whyNotLine(whyNot), '']),
    ...(lines.length === 0 ? ['Nothing has happened to it yet.'] : ['What happened:', ...lines]),
  ];
  return { kind: 'record', value: enrollment, shown, note: note.join('\n') };
}

function whyNotLine(whyNot: NonNullable<EnrollmentDetail['whyNot']>): string {
  const { title, text, next } = tellWhyNot(whyNot, timeOf);
  return `  ${[`${title}.`, text, next].filter((part) => part !== '').join(' ')}`;
}

function historyLines(history: readonly unknown[]): string[] {
  const transitions = tellHistory(history);
  const width = Math.max(0, ...transitions.map(({ to }) => to.length));
  return [
    'What happened:',
    ...transitions.map(({ at, to, cause }) => `  ${at}  ${to.padEnd(width)}  ${cause}`),
  ];
}

function decisionLines(call: Pick<CallResource, 'acceptedAt' | 'decisions'>): string[] {
  const decisions = tellDecisions(call, timeOf);
  if (decisions.length === 0) return ['', NOT_EVALUATED];
  return decisions.flatMap(({ at, title, rules, law }) => [
    '',
    `${title} (${at})`,
    ...rules.map(ruleLine),
    ...(law === null ? [] : lawLines(law)),
  ]);
}

function lawLines({ text, rules }: ToldLaw): string[] {
  return [`  ${text}`, ...rules.map((rule) => `    ${rule.id}: ${rule.verdict}. ${rule.text}`.trimEnd())];
}

const timeOf = (at: string) => at;

function ruleLine({ allow, title, text, olderCallId }: ToldRule): string {
  const call = olderCallId === null ? '' : ` It is ${olderCallId}.`;
  return `  ${allow ? 'passed ' : 'REFUSED'}  ${title}: ${text}${call}`;
}
