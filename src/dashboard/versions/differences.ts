import { weekdays } from '../../domain/calling-hours.js';
import { RETRY_OUTCOMES } from '../../domain/campaigns/definition/definition.js';
import { labelAt } from './controls.js';
import { type DefinitionForm, formOf, type RouteForm, type StepForm } from './definition-form.js';
import { linesOfVariables } from './typed-json.js';

/** A part of a definition that differs, in words; empty: it is not there. */
export interface Difference {
  part: string;
  before: string;
  after: string;
}

/**
 * What differs between two definitions, part by part. Steps are those of the same key, wherever they are.
 *
 * @param agentName the name of an agent of the team, or its id.
 */
export function differencesOf(
  before: unknown,
  after: unknown,
  agentName: (id: string) => string,
): Difference[] {
  const [old, now] = [partsOf(before, agentName), partsOf(after, agentName)];
  const parts = [...new Set([...now.keys(), ...old.keys()])];
  return parts
    .map((part) => ({ part, before: old.get(part) ?? '', after: now.get(part) ?? '' }))
    .filter((one) => one.before !== one.after);
}

function partsOf(definition: unknown, agentName: (id: string) => string): Map<string, string> {
  const form = formOf(definition);
  const { steps, caps, hours } = form;
  return new Map([
    ['Order of the steps', steps.map(({ key }) => key).join(', ')],
    ...steps.flatMap((step) => partsOfStep(step, agentName)),
    ...(['maxAttempts', 'afterConversation', 'lifetime'] as const).map((cap): [string, string] => [
      labelAt(`caps.${cap}`),
      caps[cap],
    ]),
    [labelAt('caps.perNumber'), caps.perNumber.map(({ count, per }) => `${count} in ${per}`).join(', ')],
    ...weekdays.map((day): [string, string] => [labelAt(`hours.${day}`), hours[day]]),
    [labelAt('closedDates'), form.closedDates],
    ...variablesOf(definition, form),
    [labelAt('note'), form.note],
  ]);
}

function partsOfStep(
  { key, agentId, after, maxAttempts, retry, on }: StepForm,
  agentName: (id: string) => string,
): [string, string][] {
  const step = `Step “${key}”`;
  return [
    [`${step}, voice agent`, agentName(agentId)],
    [`${step}, wait before the first call`, after],
    [`${step}, calls at most`, maxAttempts],
    ...RETRY_OUTCOMES.map((outcome): [string, string] => [
      labelAt(`steps[0].retry.${outcome}`).replace(/^[^,]*/, step),
      retry[outcome],
    ]),
    [`${step}, what follows`, on.map(routeText).join('; ')],
  ];
}

function routeText({ when, disposition, then, next }: RouteForm): string {
  const condition = when === 'disposition' ? `disposition ${disposition}` : when.replace(/^outcome:/, '');
  const [kind = '', reason = ''] = then.split(':');
  const effect = kind === 'next' ? `step ${next}` : kind === 'end' ? `ends ${reason}` : kind;
  return `${condition}: ${effect}`.replaceAll('_', ' ');
}

/** Each variable is a part of its own. */
function variablesOf(definition: unknown, { variables: lines }: DefinitionForm): [string, string][] {
  const { variables } = (definition ?? {}) as { variables?: unknown };
  if (typeof variables !== 'object' || variables === null) return lines === '' ? [] : [['Variables', lines]];
  return Object.entries(variables).map(([name, value]) => [
    `Variable “${name}”`,
    linesOfVariables({ v: value as unknown }).slice('v: '.length),
  ]);
}
