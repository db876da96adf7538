import { RETRY_OUTCOMES } from '../../domain/campaigns/definition/definition.js';
import { type DefinitionForm, type RouteForm, type StepForm } from './definition-form.js';

/** A button that changes the form and stores nothing, such as `steps.1.up` or `steps.0.on.add`. */
const EDIT = /^(steps(?:\.\d{1,3}\.on)?|caps\.perNumber)\.(?:add|(\d{1,3})\.(up|down|remove|open))$/;

/** What follows without a route of its own. */
const NEW_ROUTE: RouteForm = { when: 'outcome:completed', disposition: '', then: 'end:reached', next: '' };

/** @returns null: the button is none of {@link EDIT}. */
export function edited(form: DefinitionForm, button: string): DefinitionForm | null {
  const [, list = '', position, change] = EDIT.exec(button) ?? [];
  if (list === '') return null;
  const act = <T>(items: readonly T[], made: () => T): T[] =>
    position === undefined ? [...items, made()] : changed(items, Number(position), change);
  if (list === 'steps')
    return { ...form, steps: act(form.steps, () => newStep(form.steps, form.steps[0]?.agentId ?? '')) };
  if (list === 'caps.perNumber') {
    const perNumber = act(form.caps.perNumber, () => ({ count: '1', per: '24h' }));
    return { ...form, caps: { ...form.caps, perNumber } };
  }
  const [, step] = list.split('.').map(Number);
  const steps = form.steps.map((one, index) =>
    index === step ? { ...one, on: act(one.on, () => NEW_ROUTE) } : one,
  );
  return { ...form, steps };
}

/** The step that is open after an edit, in a form that folds the others. @param open the step that was open. */
export function openAfter(form: DefinitionForm, button: string, open: number): number {
  const [, list = '', position, change] = EDIT.exec(button) ?? [];
  const [, ofRoutes] = list.split('.');
  if (list === '' || list.startsWith('caps')) return open;
  if (list !== 'steps') return Number(ofRoutes);
  if (position === undefined) return form.steps.length;
  const moved = Number(position) + (change === 'down' ? 1 : change === 'up' || change === 'remove' ? -1 : 0);
  return Math.min(Math.max(0, moved), form.steps.length - 1);
}

/** A step that calls once, and once more a day later if the call was not answered. */
export function newStep(others: readonly StepForm[], agentId: string): StepForm {
  const keys = new Set(others.map(({ key }) => key));
  let number = others.length + 1;
  while (keys.has(`step-${number}`)) number += 1;
  const retry = Object.fromEntries(RETRY_OUTCOMES.map((outcome) => [outcome, ''])) as StepForm['retry'];
  return {
    key: `step-${number}`,
    agentId,
    after: others.length === 0 ? '' : '3d',
    maxAttempts: '',
    retry: { ...retry, no_answer: '1d' },
    on: [],
  };
}

function changed<T>(items: readonly T[], index: number, change: string | undefined): T[] {
  const others = items.filter((_, at) => at !== index);
  const [item] = items.slice(index, index + 1);
  if (change === 'open') return [...items];
  if (item === undefined || change === 'remove') return others;
  const to = change === 'up' ? Math.max(0, index - 1) : index + 1;
  return others.toSpliced(to, 0, item);
}
