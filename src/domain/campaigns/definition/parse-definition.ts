import { parseCallingHours, parseClosedDates, type Parsed } from '../../calling-hours.js';
import { type CampaignDefinition, type Caps, type NumberCap, type Step } from './definition.js';
import { readStep } from './parse-step.js';
import {
  at,
  fault,
  type Fields,
  isFields,
  parsedBy,
  readDuration,
  readFields,
  readInteger,
  readList,
  readOptional,
  taken,
} from './reader.js';

export const MAX_STEPS = 50;
export const MAX_NUMBER_CAPS = 10;
export const MAX_DIALS = 1000;

const KEYS = ['note', 'steps', 'variables', 'hours', 'closedDates', 'caps'];
const CAPS_KEYS = ['maxAttempts', 'perNumber', 'afterConversation', 'lifetime'];

/**
 * Validates a version's `definition`. The message of a refusal begins with the path of what is wrong, such as
 * `steps[1].retry.unknown`. The function does not check whether the agents exist.
 */
export function parseDefinition(input: unknown): Parsed<CampaignDefinition> {
  return parsedBy(() => readDefinition(input));
}

function readDefinition(input: unknown): CampaignDefinition {
  const fields = readFields(input, '', KEYS);
  if (fields.note !== undefined && typeof fields.note !== 'string' && !isFields(fields.note)) {
    fault('note', 'must be a text or an object');
  }
  const steps = readList(fields.steps, 'steps', MAX_STEPS, readStep);
  checkKeys(steps);
  return {
    steps,
    variables: readOptional(fields.variables, 'variables', readVariables) ?? {},
    hours: taken(parseCallingHours(fields.hours ?? null, 'hours')),
    closedDates: taken(parseClosedDates(fields.closedDates ?? [], 'closedDates')),
    caps: readCaps(fields.caps ?? {}, 'caps'),
  };
}

/** Steps refer to each other by their keys, and only forward, so that every enrollment ends. */
function checkKeys(steps: readonly Step[]): void {
  const positions = new Map<string, number>();
  for (const [index, { key }] of steps.entries()) {
    const other = positions.get(key);
    if (other !== undefined) fault(`steps[${index}].key`, `is the key of steps[${other}] too`);
    positions.set(key, index);
  }
  for (const [index, { on }] of steps.entries()) {
    for (const [entry, { then }] of on.entries()) {
      if (then.kind !== 'next') continue;
      const target = positions.get(then.stepKey);
      const path = `steps[${index}].on[${entry}].next`;
      if (target === undefined) fault(path, 'names no step');
      else if (target <= index) fault(path, 'must name a later step');
    }
  }
}

function readVariables(value: unknown, path: string): Fields {
  return isFields(value) ? value : fault(path, 'must be an object');
}

function readCaps(value: unknown, path: string): Caps {
  const fields = readFields(value, path, CAPS_KEYS);
  return {
    maxAttempts: readOptional(fields.maxAttempts, at(path, 'maxAttempts'), (count, where) =>
      readInteger(count, where, 1, MAX_DIALS),
    ),
    perNumber: readList(fields.perNumber, at(path, 'perNumber'), MAX_NUMBER_CAPS, readNumberCap),
    afterConversation: readOptional(fields.afterConversation, at(path, 'afterConversation'), readDuration),
    lifetime: readOptional(fields.lifetime, at(path, 'lifetime'), readLasting),
  };
}

function readNumberCap(value: unknown, path: string): NumberCap {
  const fields = readFields(value, path, ['count', 'per']);
  return {
    count: readInteger(fields.count, at(path, 'count'), 1, MAX_DIALS),
    per: readLasting(fields.per, at(path, 'per')),
  };
}

function readLasting(value: unknown, path: string) {
  const duration = readDuration(value, path);
  return duration.days + duration.elapsedMs > 0 ? duration : fault(path, 'must be longer than nothing');
}
