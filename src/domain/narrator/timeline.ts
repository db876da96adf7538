import { endLabel, enrollmentLabel, waitLabel } from './enrollment.js';
import { lowerFirst, outcomeLabel } from './labels.js';
import { type TimeOf } from './record.js';

/** One line of an enrollment's timeline, as it is stored. */
export interface StoredLine {
  at: string;
  kind: string;
  [detail: string]: unknown;
}

export interface ToldLine {
  /** ISO 8601. */
  at: string;
  text: string;
  /** The call that the line is about. */
  callRequestId: string | null;
}

/**
 * Lines that another release wrote in another shape show their kind.
 *
 * @param numberOf returns the number of a version by its id.
 */
export function tellTimeline(
  timeline: readonly StoredLine[],
  timeOf: TimeOf,
  numberOf: (versionId: string) => string,
): ToldLine[] {
  return timeline.map((line) => ({
    at: line.at,
    text: textOf(line, timeOf, numberOf),
    callRequestId: typeof line.callRequestId === 'string' ? line.callRequestId : null,
  }));
}

function textOf(line: StoredLine, timeOf: TimeOf, numberOf: (versionId: string) => string): string {
  const text = (name: string) => (typeof line[name] === 'string' ? line[name] : '');
  switch (line.kind) {
    case 'step':
      return `Entered the step ${text('step')}`;
    case 'version':
      return `Moved to version ${numberOf(text('versionId'))}`;
    case 'dial':
      return `Call ${String(line.seq)} of the step ${text('step')}${line.callback === true ? ', a requested callback' : ''}`;
    case 'call':
      return text('status') === 'dial_unknown'
        ? 'The outcome of the call is unknown'
        : `The call ended: ${outcomeLabel(text('reason') || text('status')).toLowerCase()}`;
    case 'result':
      return resultText(line, timeOf);
    case 'deferred':
    case 'held': {
      const until = text('until');
      const what = line.kind === 'held' ? 'Held' : 'Deferred';
      return `${what}${until === '' ? '' : ` until ${timeOf(until)}`}: ${lowerFirst(waitLabel(text('waitingFor')))}`;
    }
    case 'paused':
      return 'Paused';
    case 'resumed':
      return 'Resumed';
    case 'ended':
      return `Ended, ${enrollmentLabel(text('status')).toLowerCase()}: ${lowerFirst(endLabel(text('endReason')))}`;
    default:
      return line.kind;
  }
}

function resultText({ goal, optOut, callbackAt }: StoredLine, timeOf: TimeOf): string {
  const parts = [
    goal === true && 'the goal is reached',
    optOut === true && 'the contact opted out',
    typeof callbackAt === 'string' && `a callback was requested for ${timeOf(callbackAt)}`,
  ].filter((part) => part !== false);
  return parts.length === 0
    ? 'The result of the call was reported'
    : `The result of the call: ${parts.join(', ')}`;
}
