import { weekdays } from '../../domain/calling-hours.js';
import { RETRY_OUTCOMES, type RetryOutcome } from '../../domain/campaigns/definition/definition.js';
import { outcomeLabel } from '../../domain/narrator/labels.js';
import { type Problem } from '../../http/app-error.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { type SentFields } from '../frame/sent-fields.js';
import { type DefinitionForm, type RouteForm, type StepForm } from './definition-form.js';

/* The names of the form's controls: the path of what they edit, such as `steps.0.retry.busy` for `steps[0].retry.busy`. */

/** More steps, routes or caps than any definition may have are not read. */
const MOST_READ = 60;

/** Which of the two is sent. */
export const MODE = 'mode';
export const BY_FORM = 'form';
export const BY_JSON = 'json';
export const JSON_TEXT = 'json';

/** The keys of an entry of `on` that one control edits. */
const ROUTE_CONTROLS: Record<string, keyof RouteForm> = {
  disposition: 'disposition',
  outcome: 'when',
  goal: 'then',
  callback: 'then',
  end: 'then',
  next: 'next',
};

/**
 * The control that edits what is at a path of a definition, such as `steps[1].retry.busy[0]`; a path of several values
 * leads to the first of their controls. Null: no control does.
 */
export function controlAt(path: string): string | null {
  const parts = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  const [top = '', first, second, third, fourth] = parts;
  switch (top) {
    case 'note':
    case 'variables':
    case 'closedDates':
      return top;
    case 'hours':
      return `hours.${weekdays.find((day) => day === first) ?? weekdays[0]}`;
    case 'caps':
      if (first === 'perNumber')
        return second === undefined ? null : `caps.perNumber.${second}.${third ?? 'count'}`;
      return first !== undefined && first in CAP_LABELS ? `caps.${first}` : null;
    case 'steps':
      return first === undefined ? null : stepControlAt(`steps.${first}`, second, third, fourth);
    default:
      return null;
  }
}

function stepControlAt(step: string, key = 'key', item?: string, part?: string): string | null {
  if (key === 'retry') {
    const outcome = RETRY_OUTCOMES.find((one) => one === item) ?? RETRY_OUTCOMES[0];
    return `${step}.retry.${outcome}`;
  }
  if (key === 'on')
    return item === undefined ? null : `${step}.on.${item}.${ROUTE_CONTROLS[part ?? ''] ?? 'when'}`;
  return key in STEP_LABELS ? `${step}.${key}` : null;
}

export const CAP_LABELS = {
  maxAttempts: 'Calls of one enrollment, at most',
  afterConversation: 'Rest after a conversation',
  lifetime: 'Lifetime of an enrollment',
};

export const STEP_LABELS = {
  key: 'Key of the step',
  agentId: 'Voice agent',
  after: 'Wait before the first call',
  maxAttempts: 'Calls of the step, at most',
};

export const ROUTE_LABELS: Record<keyof RouteForm, string> = {
  when: 'When',
  disposition: 'Disposition',
  then: 'Then',
  next: 'Key of the next step',
};

export const dayLabel = (day: string): string => day.charAt(0).toUpperCase() + day.slice(1);
export const retryLabel = (outcome: RetryOutcome): string => `After “${outcomeLabel(outcome)}”`;

const TOP_LABELS: Record<string, string> = {
  note: 'Note',
  variables: 'Variables',
  closedDates: 'Closed dates',
  steps: 'Steps',
  caps: 'Limits',
  hours: 'Calling hours',
};

/** What people call a part of a definition, such as `Step 2, after “Busy”, delay 1`. */
export function labelAt(path: string): string {
  const parts = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  const [top = '', first = '', ...rest] = parts;
  const ordinal = (digits: string) => (/^\d+$/.test(digits) ? String(Number(digits) + 1) : digits);
  if (top === 'steps' && first !== '') {
    const [key = '', item = '', part = ''] = rest;
    const step = `Step ${ordinal(first)}`;
    if (key === '') return step;
    if (key === 'retry') {
      const outcome = RETRY_OUTCOMES.find((one) => one === item);
      const label = outcome === undefined ? 'retries' : `retries after “${outcomeLabel(outcome)}”`;
      return `${step}, ${label}${part === '' ? '' : `, delay ${ordinal(part)}`}`;
    }
    if (key === 'on') {
      if (item === '') return `${step}, routes`;
      const control = ROUTE_CONTROLS[part];
      return `${step}, route ${ordinal(item)}${control === undefined ? '' : `, ${lower(ROUTE_LABELS[control])}`}`;
    }
    return `${step}, ${lower((STEP_LABELS as Record<string, string>)[key] ?? key)}`;
  }
  if (top === 'caps' && first === 'perNumber')
    return rest[0] === undefined
      ? 'Limits of calls to a number'
      : `Limit ${ordinal(rest[0])} of calls to a number`;
  if (top === 'caps' && first !== '') return (CAP_LABELS as Record<string, string>)[first] ?? first;
  if (top === 'hours' && first !== '')
    return `${dayLabel(first)}${rest[0] === undefined ? '' : `, window ${ordinal(rest[0])}`}`;
  if (top === 'closedDates' && first !== '') return `Closed date ${ordinal(first)}`;
  return TOP_LABELS[top] ?? top;
}

const lower = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1);

/** The key of the faults that no control has. */
export const ELSEWHERE = 'definition';

/** The spelling of durations that the form does not need. */
const AS_ISO = /an ISO 8601 duration.*such as P1DT12H/;

/** The faults by control, in words for people. Paths begin with `definition`. @param isJson the JSON was sent. */
export function definitionErrors(problems: readonly Problem[], isJson: boolean): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of problems) {
    const inside = path.replace(/^definition\.?/, '');
    const control = isJson ? JSON_TEXT : (controlAt(inside) ?? ELSEWHERE);
    const rest = message.startsWith(`${path} `) ? message.slice(path.length + 1) : null;
    const label = isJson ? inside : labelAt(inside);
    const said = isJson ? rest : (rest?.replace(AS_ISO, 'a duration such as 16h or 1d 12h') ?? null);
    const text = said === null || inside === '' ? message : `${label} ${said}`;
    errors[control] = errors[control] === undefined ? text : `${errors[control]}; ${text}`;
  }
  return errors;
}

/** The names of a form's controls. */
export function controlsOf({ steps, caps }: DefinitionForm): string[] {
  return [
    ...steps.flatMap(({ on }, index) => [
      ...Object.keys(STEP_LABELS).map((key) => `steps.${index}.${key}`),
      ...RETRY_OUTCOMES.map((outcome) => `steps.${index}.retry.${outcome}`),
      ...on.flatMap((_, route) =>
        Object.keys(ROUTE_LABELS).map((key) => `steps.${index}.on.${route}.${key}`),
      ),
    ]),
    ...weekdays.map((day) => `hours.${day}`),
    'closedDates',
    ...Object.keys(CAP_LABELS).map((key) => `caps.${key}`),
    ...caps.perNumber.flatMap((_, index) => [`caps.perNumber.${index}.count`, `caps.perNumber.${index}.per`]),
    'variables',
    'note',
  ];
}

/** The fields of a step as {@link sentForm} reads them, without those that are empty anyway. */
export function fieldsOfStep(
  { on, retry, ...step }: StepForm,
  name: string,
): [field: string, value: string][] {
  const fields: [string, string][] = [
    ...Object.entries(step).map(([key, value]): [string, string] => [`${name}.${key}`, value]),
    ...Object.entries(retry).map(([outcome, value]): [string, string] => [`${name}.retry.${outcome}`, value]),
    ...on.flatMap((route, index) =>
      Object.entries(route).map(([key, value]): [string, string] => [
        `${name}.on.${index}.${key}`,
        String(value),
      ]),
    ),
  ];
  // By these, lists know how many items they have.
  return fields.filter(([field, value]) => value !== '' || /\.(?:key|when)$/.test(field));
}

/** The form as it was sent. */
export function sentForm(sent: SentFields): DefinitionForm {
  const text = (name: string) => sent.text(name);
  /** The items of a list, each of which has this control. */
  const listOf = <T>(list: string, control: string, read: (item: string) => T): T[] => {
    const items: T[] = [];
    while (items.length < MOST_READ && sent.has(`${list}.${items.length}.${control}`))
      items.push(read(`${list}.${items.length}`));
    return items;
  };
  const route = (item: string): RouteForm => ({
    when: text(`${item}.when`),
    disposition: text(`${item}.disposition`),
    then: text(`${item}.then`),
    next: text(`${item}.next`),
  });
  const step = (item: string): StepForm => ({
    key: text(`${item}.key`),
    agentId: text(`${item}.agentId`),
    after: text(`${item}.after`),
    maxAttempts: text(`${item}.maxAttempts`),
    retry: Object.fromEntries(
      RETRY_OUTCOMES.map((outcome) => [outcome, text(`${item}.retry.${outcome}`)]),
    ) as StepForm['retry'],
    on: listOf(`${item}.on`, 'when', route),
  });
  return {
    note: text('note'),
    steps: listOf('steps', 'key', step),
    variables: text('variables'),
    hours: Object.fromEntries(weekdays.map((day) => [day, text(`hours.${day}`)])) as DefinitionForm['hours'],
    closedDates: text('closedDates'),
    caps: {
      maxAttempts: text('caps.maxAttempts'),
      perNumber: listOf('caps.perNumber', 'count', (item) => ({
        count: text(`${item}.count`),
        per: text(`${item}.per`),
      })),
      afterConversation: text('caps.afterConversation'),
      lifetime: text('caps.lifetime'),
    },
  };
}
