import { REDIAL_WINDOW_MS } from '../../guardrails/recently-called.js';
import { type Duration, nominalMs } from '../duration.js';
import {
  type CampaignDefinition,
  callsOf,
  RETRY_OUTCOMES,
  type RetryOutcome,
  type Step,
} from './definition.js';
import { dialsBefore, worstCaseDials } from './paths.js';

export const WARNING_CODES = [
  'NO_STEPS',
  'STEP_UNREACHABLE',
  'DELAY_SHORTER_THAN_REDIAL_WINDOW',
  'MAX_ATTEMPTS_UNREACHABLE',
  'WORST_CASE_DIALS',
] as const;

/**
 * A valid but probably unintended part of a definition. `path` has the same form as in a refusal, such as
 * `steps[0].retry.busy[1]`.
 */
export interface DefinitionWarning {
  code: (typeof WARNING_CODES)[number];
  path: string;
  message: string;
}

const NO_STEPS = 'The version has no steps, so its enrollments are not called.';

/** Outcomes whose dials a team can exempt from the re-dial window. */
const EXEMPT: readonly RetryOutcome[] = ['busy', 'no_answer', 'failed'];

/**
 * The warnings with which a definition is published, in the order of its steps.
 *
 * @param retryWithinRedialWindow the team's setting.
 */
export function warningsOf(
  definition: CampaignDefinition,
  retryWithinRedialWindow = false,
): DefinitionWarning[] {
  const { steps, caps } = definition;
  if (steps.length === 0) return [{ code: 'NO_STEPS', path: 'steps', message: NO_STEPS }];
  const reached = dialsBefore(definition);
  return [
    ...steps.flatMap((step, index) => [
      ...unreachable(reached[index], `steps[${index}]`, caps.maxAttempts),
      ...shortDelays(step, index, retryWithinRedialWindow),
      ...unreachableAttempts(step, `steps[${index}].maxAttempts`),
    ]),
    worstCase(definition),
  ];
}

function unreachable(
  dials: number | undefined,
  path: string,
  maxAttempts: number | null,
): DefinitionWarning[] {
  const code = 'STEP_UNREACHABLE';
  if (dials === undefined) return [{ code, path, message: 'No step leads to this one.' }];
  if (maxAttempts === null || dials < maxAttempts) return [];
  return [{ code, path, message: `caps.maxAttempts (${maxAttempts}) is spent before this step.` }];
}

function shortDelays(step: Step, index: number, exempting: boolean): DefinitionWarning[] {
  const code = 'DELAY_SHORTER_THAN_REDIAL_WINDOW';
  const message =
    'A number is not dialed within 12 hours of a processed call; the attempt is deferred until then.';
  const path = `steps[${index}]`;
  const delays: [path: string, delay: Duration][] = [];
  // The first step follows no call of its campaign.
  if (index > 0) delays.push([`${path}.after`, step.after]);
  for (const outcome of RETRY_OUTCOMES) {
    if (exempting && EXEMPT.includes(outcome)) continue;
    for (const [position, delay] of (step.retry[outcome] ?? []).entries()) {
      delays.push([`${path}.retry.${outcome}[${position}]`, delay]);
    }
  }
  return delays
    .filter(([, delay]) => nominalMs(delay) < REDIAL_WINDOW_MS)
    .map(([where]) => ({ code, path: where, message }));
}

function unreachableAttempts({ maxAttempts, retry }: Step, path: string): DefinitionWarning[] {
  const calls = callsOf(retry);
  if (maxAttempts <= calls) return [];
  const message = `The delays of retry allow ${calls} calls at most.`;
  return [{ code: 'MAX_ATTEMPTS_UNREACHABLE', path, message }];
}

function worstCase(definition: CampaignDefinition): DefinitionWarning {
  const { dials, withCallbacks } = worstCaseDials(definition);
  const calls = dials === 1 ? '1 time' : `${dials} times`;
  const message = `One entry dials a number up to ${calls}${withCallbacks ? ', and once for each requested callback' : ''}.`;
  return { code: 'WORST_CASE_DIALS', path: 'steps', message };
}
