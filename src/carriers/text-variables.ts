import { withDisclosures } from '../domain/compliance/disclosures.js';
import { type PlaceCallRequest } from './carrier.js';

/**
 * The variables of a call as texts, for platforms whose prompts have placeholders for them. A value that is no
 * text is JSON. `disclosures` has the sentences that the law requires, unless a variable has that name.
 * `prompt`, `first_message` and `call_request_id` replace variables of the same names.
 */
export function textVariables({
  variables,
  disclosures = [],
  prompt,
  firstMessage,
  callRequestId,
}: Pick<PlaceCallRequest, 'variables' | 'disclosures' | 'prompt' | 'firstMessage' | 'callRequestId'>): Record<
  string,
  string
> {
  const texts = Object.entries(withDisclosures(variables, disclosures)).map(
    ([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)],
  );
  return {
    ...Object.fromEntries(texts),
    prompt,
    first_message: firstMessage,
    call_request_id: callRequestId,
  };
}
