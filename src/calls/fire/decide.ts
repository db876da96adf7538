import { decideFire, type FireDecision, type FireFacts } from '../../domain/fire-decision.js';
import { type ContactForPrompt, renderTemplate } from '../../domain/template.js';

/** The carrier of the call's agent, as the worker sees it at the claim. */
export type Route =
  | { kind: 'open'; carrier: string }
  /** The carrier is paced, and the wake-up has no pacing slot with it. */
  | { kind: 'needs_pacing_slot'; carrier: string }
  /** The carrier could not be reached lately; the call is put off for `delayMs`. */
  | { kind: 'away'; delayMs: number };

/** What the agent says, and what it is rendered with. */
export interface Script {
  promptTemplate: string;
  firstMessageTemplate: string;
  contact: ContactForPrompt;
  variables: Record<string, unknown>;
}

/** What a claimed call says. */
export interface RenderedScript {
  prompt: string;
  firstMessage: string;
  unknownPlaceholders: string[];
}

/** The domain's decision; a call that it would claim also needs its carrier. */
export type RoutedDecision =
  | Exclude<FireDecision, { kind: 'claimed' }>
  | { kind: 'other_carrier'; carrier: string }
  | { kind: 'put_off'; delayMs: number }
  | (FireDecision & { kind: 'claimed' } & { carrier: string; script: RenderedScript });

/**
 * Decides what becomes of a call whose wake-up of `generation` came. Pure.
 *
 * @param route called for a call to be claimed alone, once: looking a carrier up that was away may admit this call as its probe.
 */
export function decide(
  facts: FireFacts,
  script: Script,
  generation: number,
  now: Date,
  route: () => Route,
): RoutedDecision {
  const decision = decideFire(facts, generation, now);
  if (decision.kind !== 'claimed') return decision;
  const routed = route();
  switch (routed.kind) {
    case 'needs_pacing_slot':
      return { kind: 'other_carrier', carrier: routed.carrier };
    case 'away':
      return { kind: 'put_off', delayMs: routed.delayMs };
    case 'open':
      return { ...decision, carrier: routed.carrier, script: render(script) };
  }
}

function render({ promptTemplate, firstMessageTemplate, contact, variables }: Script): RenderedScript {
  const prompt = renderTemplate(promptTemplate, contact, variables);
  const firstMessage = renderTemplate(firstMessageTemplate, contact, variables);
  return {
    prompt: prompt.text,
    firstMessage: firstMessage.text,
    unknownPlaceholders: [...new Set([...prompt.unknownPlaceholders, ...firstMessage.unknownPlaceholders])],
  };
}
