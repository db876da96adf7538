import { decideFire, type FireDecision, type FireFacts } from '../../domain/fire-decision.js';
import { type ContactForPrompt, renderTemplate } from '../../domain/template.js';

/** The carrier of the call's agent, as the worker sees it at the claim. */
export type CarrierAvailability =
  | { kind: 'available'; carrier: string }
  /** The carrier is paced, and the wake-up holds no pacing slot of this carrier. */
  | { kind: 'needs_pacing_slot'; carrier: string }
  /** The carrier's circuit is open; the call is put off for `delayMs`. */
  | { kind: 'circuit_open'; delayMs: number };

/** The agent's templates, and what they are rendered with. */
export interface Script {
  promptTemplate: string;
  firstMessageTemplate: string;
  contact: ContactForPrompt;
  variables: Record<string, unknown>;
}

/** The rendered texts of a claimed call. */
export interface RenderedScript {
  prompt: string;
  firstMessage: string;
  unknownPlaceholders: string[];
}

/** The domain's decision. A call that the domain allows is claimed only if its carrier is available. */
export type DecisionWithCarrier =
  | Exclude<FireDecision, { kind: 'claimed' }>
  | { kind: 'other_carrier'; carrier: string }
  | { kind: 'put_off'; delayMs: number }
  | (FireDecision & { kind: 'claimed' } & { carrier: string; script: RenderedScript });

/**
 * Decides a call when its wake-up of `generation` arrives. Pure, apart from `availability`.
 *
 * @param availability Invoked at most once, and only for a call that is to be claimed. It may make the call
 *   the probe of an open circuit.
 */
export function decide(
  facts: FireFacts,
  script: Script,
  generation: number,
  now: Date,
  availability: () => CarrierAvailability,
): DecisionWithCarrier {
  const decision = decideFire(facts, generation, now);
  if (decision.kind !== 'claimed') return decision;
  const carrier = availability();
  switch (carrier.kind) {
    case 'needs_pacing_slot':
      return { kind: 'other_carrier', carrier: carrier.carrier };
    case 'circuit_open':
      return { kind: 'put_off', delayMs: carrier.delayMs };
    case 'available':
      return { ...decision, carrier: carrier.carrier, script: render(script) };
  }
}

/** Fills the agent's templates. */
export function render({ promptTemplate, firstMessageTemplate, contact, variables }: Script): RenderedScript {
  const prompt = renderTemplate(promptTemplate, contact, variables);
  const firstMessage = renderTemplate(firstMessageTemplate, contact, variables);
  return {
    prompt: prompt.text,
    firstMessage: firstMessage.text,
    unknownPlaceholders: [...new Set([...prompt.unknownPlaceholders, ...firstMessage.unknownPlaceholders])],
  };
}
