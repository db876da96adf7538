import { type CallWindow, DAYS_AHEAD } from '../../domain/call-window.js';
import { foldKey } from '../../domain/spelling.js';
import { type Faulty, faulty, type Problem, problemOf } from '../../http/app-error.js';
import { instantFilter, type ListFilter } from '../../http/filters.js';
import { faultMessage } from '../../http/field-rule.js';

/** The parameters of a trigger and of its dry run. The contract's body has no such fields. */
export const WINDOW_PARAMETERS = {
  notBefore: instantFilter(
    `The call is scheduled for the first opening of the calling hours at or after this instant, which is at most ${DAYS_AHEAD} days ahead. ` +
      'An instant of the past means at once.',
  ),
  notAfter: instantFilter(
    'The call expires at this instant if it is still pending, at the latest 24 hours after it is due.',
  ),
} satisfies Record<keyof CallWindow, ListFilter<string>>;

export type ReadWindow = { ok: true; value: CallWindow } | Required<Faulty>;

/**
 * Reads the parameters of a request. Another spelling of one of them (case, `_`, `-`) is refused: the call would
 * otherwise be placed at once.
 */
export function readWindow(query: Record<string, unknown>): ReadWindow {
  const problems: Problem[] = [];
  const value: CallWindow = { notBefore: null, notAfter: null };
  for (const name of ['notBefore', 'notAfter'] as const) {
    const { rule, read } = WINDOW_PARAMETERS[name];
    for (const [sent, text] of Object.entries(query)) {
      if (foldKey(sent) !== foldKey(name)) continue;
      const instant = sent === name && typeof text === 'string' ? read(text) : undefined;
      if (instant !== undefined) value[name] = new Date(instant);
      else if (sent !== name) problems.push(problemOf(`${sent} is not a parameter: send ${name}`, sent));
      else if (typeof text !== 'string') problems.push(problemOf(`${name} must be sent once`, name));
      else problems.push(problemOf(faultMessage(rule as string, name), name));
    }
  }
  return problems.length > 0 ? faulty(problems) : { ok: true, value };
}
