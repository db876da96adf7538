import { parseDefinition } from './parse-definition.js';
import { readStep } from './parse-step.js';
import { type Fields, isFields, parsedBy } from './reader.js';

/** A step that is valid, of which a part is replaced. */
const VALID_STEP: Fields = { key: 'a', agentId: '00000000-0000-4000-8000-000000000000' };

/**
 * What is wrong with a definition, with one fault for each of its parts: `parseDefinition` ends at its first fault. The
 * messages are its own, and the list is empty for a valid definition only.
 */
export function definitionFaults(input: unknown): string[] {
  const whole = parseDefinition(input);
  if (whole.ok) return [];
  if (!isFields(input)) return [whole.message];
  const faults = new Set(Object.entries(input).flatMap(([key, value]) => faultsOfPart(key, value)));
  // A fault that no part has alone, such as the key of another step.
  faults.add(whole.message);
  return [...faults];
}

function faultsOfPart(key: string, value: unknown): string[] {
  if (key === 'steps' && Array.isArray(value))
    return value.flatMap((step: unknown, index) => faultsOfStep(step, `steps[${index}]`));
  if (key === 'caps' && isFields(value))
    return Object.entries(value).flatMap(([cap, limit]) => faultsOf({ caps: { [cap]: limit } }));
  return faultsOf({ [key]: value });
}

function faultsOf(part: Fields): string[] {
  const parsed = parseDefinition(part);
  return parsed.ok ? [] : [parsed.message];
}

/** Without the references to other steps. */
function faultsOfStep(step: unknown, path: string): string[] {
  const faultsIn = (value: unknown) => {
    const parsed = parsedBy(() => readStep(value, path));
    return parsed.ok ? [] : [parsed.message];
  };
  if (!isFields(step)) return faultsIn(step);
  const ofParts = Object.entries(step).flatMap(([key, value]) => faultsIn({ ...VALID_STEP, [key]: value }));
  return [...ofParts, ...faultsIn(step)];
}
