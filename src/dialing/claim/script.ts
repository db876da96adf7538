import { type ContactForPrompt, renderTemplate } from '../../domain/template.js';

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
