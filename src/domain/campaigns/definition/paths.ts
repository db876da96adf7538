import { type CampaignDefinition, callsOf, type Step } from './definition.js';

/**
 * The fewest dials after which each step can be entered; undefined for a step that cannot be reached. A step
 * is left after one dial at the earliest.
 */
export function dialsBefore({ steps }: CampaignDefinition): (number | undefined)[] {
  const dials: (number | undefined)[] = steps.map((_, index) => (index === 0 ? 0 : undefined));
  for (const [index, before] of dials.entries()) {
    if (before === undefined) continue;
    for (const target of exitsOf(steps, index))
      dials[target] = Math.min(dials[target] ?? Infinity, before + 1);
  }
  return dials;
}

/** The most dials of one entry, and whether requested callbacks are added to them. */
export function worstCaseDials({ steps, caps }: CampaignDefinition): {
  dials: number;
  withCallbacks: boolean;
} {
  // The most dials from each step to an end. A step leads only to later steps, so the loop begins with the
  // last step.
  const most: number[] = [];
  for (const [index, { maxAttempts, retry }] of [...steps.entries()].reverse()) {
    const after = exitsOf(steps, index).map((target) => most[target] ?? 0);
    most[index] = Math.min(maxAttempts, callsOf(retry)) + Math.max(0, ...after);
  }
  const dials = most[0] ?? 0;
  const callbacks = steps.some(({ on }) => on.some(({ then }) => then.kind === 'callback'));
  if (caps.maxAttempts === null) return { dials, withCallbacks: callbacks };
  // Requested callbacks count for the cap.
  return { dials: callbacks ? caps.maxAttempts : Math.min(dials, caps.maxAttempts), withCallbacks: false };
}

/** The positions of the steps to which the step at `index` can lead. */
function exitsOf(steps: readonly Step[], index: number): number[] {
  const exits = new Set<number>();
  let completed = true;
  let noResponse = true;
  const named = new Set<string>();
  for (const { when, then } of steps[index]?.on ?? []) {
    // An entry never applies after an entry with the same condition. A disposition never applies after
    // `completed`.
    if (when.kind === 'disposition' ? !completed || named.has(when.disposition) : false) continue;
    if (when.kind === 'outcome' && !(when.outcome === 'completed' ? completed : noResponse)) continue;
    if (then.kind === 'next') exits.add(steps.findIndex(({ key }) => key === then.stepKey));
    // A result without a callback is matched against the later entries.
    if (when.kind === 'disposition' && then.kind !== 'callback') named.add(when.disposition);
    if (when.kind === 'outcome' && when.outcome === 'completed') completed = false;
    if (when.kind === 'outcome' && when.outcome === 'no_response') noResponse = false;
  }
  if (noResponse && index + 1 < steps.length) exits.add(index + 1);
  return [...exits];
}
