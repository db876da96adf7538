import { type Parsed } from '../../../../src/domain/calling-hours.js';
import { type CampaignDefinition } from '../../../../src/domain/campaigns/definition/definition.js';
import { parseDefinition } from '../../../../src/domain/campaigns/definition/parse-definition.js';

export const AGENT = '0b6e0f3c-6f5e-4f8e-9a57-0d6f1f0f7a11';

/** A step of nothing but its key and agent, and what is said of it. */
export const step = (key: string, fields: object = {}) => ({ key, agentId: AGENT, ...fields });

export function valueOf<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
}

export const definitionOf = (input: unknown): CampaignDefinition => valueOf(parseDefinition(input));

/** The path at which a definition is refused. */
export function refusedAt(input: unknown): string {
  const parsed = parseDefinition(input);
  return parsed.ok ? 'accepted' : parsed.message.split(' ')[0]!;
}
