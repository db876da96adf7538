import { UUID } from '../../uuid.js';
import {
  callsOf,
  COMPLETED_REASONS,
  type Condition,
  type Effect,
  RETRY_OUTCOMES,
  type Route,
  type Step,
  STEP_OUTCOMES,
} from './definition.js';
import {
  at,
  fault,
  type Fields,
  readDuration,
  readFields,
  readInteger,
  readList,
  readOneOf,
  readOptional,
  readText,
} from './reader.js';

export const STEP_KEY = /^[a-z0-9_-]{1,40}$/;
export const DISPOSITION = /^(?=.*\S).{1,80}$/su;
export const MAX_DELAYS = 20;
export const MAX_ROUTES = 50;
/** The most attempts that `retry` can allow: the first call, and one attempt for each delay. */
export const MAX_STEP_ATTEMPTS = 1 + RETRY_OUTCOMES.length * MAX_DELAYS;

const KEYS = ['key', 'agentId', 'after', 'maxAttempts', 'retry', 'on'];
const CONDITIONS = ['disposition', 'outcome'];
const EFFECTS = ['goal', 'callback', 'end', 'next'];

/** One item of `steps`. The function does not check references to other steps. */
export function readStep(value: unknown, path: string): Step {
  const fields = readFields(value, path, KEYS);
  const retry = readRetry(fields.retry ?? {}, at(path, 'retry'));
  return {
    key: readText(fields.key, at(path, 'key'), STEP_KEY, '1 to 40 of a-z, 0-9, _ and -'),
    agentId: readText(fields.agentId, at(path, 'agentId'), UUID, 'the id of a voice agent').toLowerCase(),
    after: readDuration(fields.after ?? 'PT0S', at(path, 'after')),
    maxAttempts:
      readOptional(fields.maxAttempts, at(path, 'maxAttempts'), (count, where) =>
        readInteger(count, where, 1, MAX_STEP_ATTEMPTS),
      ) ?? callsOf(retry),
    retry,
    on: readList(fields.on, at(path, 'on'), MAX_ROUTES, readRoute),
  };
}

function readRetry(value: unknown, path: string): Step['retry'] {
  const fields = readFields(value, path, RETRY_OUTCOMES);
  const retry: Partial<Record<string, Step['retry']['busy']>> = {};
  for (const [outcome, delays] of Object.entries(fields)) {
    retry[outcome] = readList(delays, at(path, outcome), MAX_DELAYS, readDuration);
  }
  return retry;
}

function readRoute(value: unknown, path: string): Route {
  const fields = readFields(value, path, [...CONDITIONS, ...EFFECTS]);
  onlyOne(fields, CONDITIONS, path, 'condition');
  onlyOne(fields, EFFECTS, path, 'effect');
  const when = readCondition(fields, path);
  const then = readEffect(fields, path);
  if (then.kind === 'callback' && when.kind !== 'disposition') {
    fault(at(path, 'callback'), 'needs a disposition: only the result of a call can request it');
  }
  return { when, then };
}

function onlyOne(fields: Fields, keys: readonly string[], path: string, what: string): void {
  const sent = keys.filter((key) => fields[key] !== undefined);
  if (sent.length !== 1) fault(path, `must have exactly one ${what} of ${keys.join(', ')}`);
}

function readCondition({ disposition, outcome }: Fields, path: string): Condition {
  return disposition === undefined
    ? { kind: 'outcome', outcome: readOneOf(outcome, at(path, 'outcome'), STEP_OUTCOMES) }
    : {
        kind: 'disposition',
        disposition: readText(
          disposition,
          at(path, 'disposition'),
          DISPOSITION,
          'a text of 1 to 80 characters',
        ),
      };
}

function readEffect({ goal, callback, end, next }: Fields, path: string): Effect {
  if (goal !== undefined) return goal === true ? { kind: 'goal' } : fault(at(path, 'goal'), 'must be true');
  if (callback !== undefined) {
    return callback === true ? { kind: 'callback' } : fault(at(path, 'callback'), 'must be true');
  }
  if (end !== undefined) return { kind: 'end', reason: readOneOf(end, at(path, 'end'), COMPLETED_REASONS) };
  return { kind: 'next', stepKey: readText(next, at(path, 'next'), STEP_KEY, 'the key of a step') };
}
