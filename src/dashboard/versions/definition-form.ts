import { type Weekday, weekdays } from '../../domain/calling-hours.js';
import { RETRY_OUTCOMES, type RetryOutcome } from '../../domain/campaigns/definition/definition.js';
import { countOf, durationText, isoDuration } from '../campaigns/typed-values.js';
import { linesOfVariables, noteOf, noteText, plainText, textIn, variablesIn } from './typed-json.js';

/*
 * The `definition` of a version as the controls of a form, all of which are texts. Both directions are pure. A text that
 * cannot be a value stays in the definition as it was typed, so that the API's validators refuse it.
 */

/** An entry of `on`. */
export interface RouteForm {
  /** `outcome:` with the outcome, or `disposition`. */
  when: string;
  disposition: string;
  /** `goal`, `callback`, `end:` with the reason, or `next`. */
  then: string;
  next: string;
}

export interface StepForm {
  key: string;
  agentId: string;
  after: string;
  maxAttempts: string;
  /** Delays, separated by commas. */
  retry: Record<RetryOutcome, string>;
  on: RouteForm[];
}

/** An entry of `caps.perNumber`. */
export interface NumberCapForm {
  count: string;
  per: string;
}

export interface DefinitionForm {
  note: string;
  steps: StepForm[];
  /** A line for each variable. */
  variables: string;
  /** Windows, separated by commas; without any, there are no calling hours. */
  hours: Record<Weekday, string>;
  /** Separated by blanks. */
  closedDates: string;
  caps: { maxAttempts: string; perNumber: NumberCapForm[]; afterConversation: string; lifetime: string };
}

type Fields = Record<string, unknown>;

/** The definition that a form describes, in its shortest form: what is empty is left out. */
export function definitionOf(form: DefinitionForm): Fields {
  const { steps, caps } = form;
  const hours = weekdays
    .map((day) => [day, windowsIn(form.hours[day])] as const)
    .filter(([, windows]) => windows.length > 0);
  const dates = itemsIn(form.closedDates, /[,;\s]+/);
  return filled({
    note: noteOf(form.note),
    steps: someOf(steps.map(stepOf)),
    variables: variablesIn(form.variables),
    hours: hours.length === 0 ? undefined : Object.fromEntries(hours),
    closedDates: someOf(dates),
    caps: someFields({
      maxAttempts: countOf(caps.maxAttempts) ?? undefined,
      perNumber: someOf(
        caps.perNumber.map(({ count, per }) => ({ count: countOf(count), per: isoDuration(per) })),
      ),
      afterConversation: durationIn(caps.afterConversation),
      lifetime: durationIn(caps.lifetime),
    }),
  });
}

function stepOf({ key, agentId, after, maxAttempts, retry, on }: StepForm): Fields {
  const delays = RETRY_OUTCOMES.map((outcome) => [
    outcome,
    someOf(itemsIn(retry[outcome], /[,;\n]+/).map(isoDuration)),
  ]);
  return filled({
    key: key.trim(),
    agentId: agentId.trim(),
    after: durationIn(after),
    maxAttempts: countOf(maxAttempts) ?? undefined,
    retry: someFields(Object.fromEntries(delays) as Fields),
    on: someOf(on.map(routeOf)),
  });
}

function routeOf({ when, disposition, then, next }: RouteForm): Fields {
  const [kind = '', value = ''] = then.split(/:(.*)/s);
  return {
    ...(when === 'disposition'
      ? { disposition: textIn(disposition) }
      : { outcome: when.replace(/^outcome:/, '') }),
    ...(kind === 'next' ? { next: next.trim() } : kind === 'end' ? { end: value } : { [kind]: true }),
  };
}

/** The form of a definition. What is not valid is shown as far as the form has a control for it. */
export function formOf(definition: unknown): DefinitionForm {
  const { note, steps, variables, hours, closedDates, caps } = fieldsIn(definition);
  const days = fieldsIn(hours);
  const { maxAttempts, perNumber, afterConversation, lifetime } = fieldsIn(caps);
  return {
    note: noteText(note),
    steps: listIn(steps).map(formOfStep),
    variables: linesOfVariables(variables),
    hours: Object.fromEntries(
      weekdays.map((day) => [day, listIn(days[day]).map(windowText).join(', ')]),
    ) as DefinitionForm['hours'],
    closedDates: listIn(closedDates).map(shown).join(' '),
    caps: {
      maxAttempts: shown(maxAttempts),
      perNumber: listIn(perNumber).map((cap) => {
        const { count, per } = fieldsIn(cap);
        return { count: shown(count), per: durationText(shown(per)) };
      }),
      afterConversation: durationText(shown(afterConversation)),
      lifetime: durationText(shown(lifetime)),
    },
  };
}

function formOfStep(step: unknown): StepForm {
  const { key, agentId, after, maxAttempts, retry, on } = fieldsIn(step);
  const delays = fieldsIn(retry);
  return {
    key: shown(key),
    agentId: shown(agentId).toLowerCase(),
    after: durationText(shown(after)),
    maxAttempts: shown(maxAttempts),
    retry: Object.fromEntries(
      RETRY_OUTCOMES.map((outcome) => [
        outcome,
        listIn(delays[outcome])
          .map((delay) => durationText(shown(delay)))
          .join(', '),
      ]),
    ) as StepForm['retry'],
    on: listIn(on).map(formOfRoute),
  };
}

function formOfRoute(route: unknown): RouteForm {
  const { disposition, outcome, goal, callback, end, next } = fieldsIn(route);
  return {
    when: given(disposition) ? 'disposition' : `outcome:${shown(outcome)}`,
    disposition: given(disposition) ? plainText(shown(disposition)) : '',
    then: given(goal) ? 'goal' : given(callback) ? 'callback' : given(next) ? 'next' : `end:${shown(end)}`,
    next: shown(next),
  };
}

/** Windows such as `9:00-12:00, 13:00-17:00`. */
function windowsIn(text: string): { start: string; end: string }[] {
  return itemsIn(text.replace(/\s*[-–—]\s*/g, '-'), /[,;\s]+/).map((window) => {
    const [start = '', end = ''] = window.split(/-(.*)/s);
    return { start: clockOf(start), end: clockOf(end) };
  });
}

const clockOf = (text: string): string => (/^\d:\d\d$/.test(text) ? `0${text}` : text);

function windowText(window: unknown): string {
  const { start, end } = fieldsIn(window);
  return `${shown(start)}-${shown(end)}`;
}

function durationIn(text: string): string | undefined {
  return text.trim() === '' ? undefined : isoDuration(text);
}

function itemsIn(text: string, separator: RegExp): string[] {
  return text
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function someOf<T>(items: T[]): T[] | undefined {
  return items.length === 0 ? undefined : items;
}

function someFields(fields: Fields): Fields | undefined {
  const some = filled(fields);
  return Object.keys(some).length === 0 ? undefined : some;
}

function filled(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const given = (value: unknown): boolean => value !== undefined && value !== null;

function fieldsIn(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  return given(value) ? JSON.stringify(value) : '';
}
