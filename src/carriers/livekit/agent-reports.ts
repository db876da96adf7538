import { objectFrom } from '../answer-json.js';
import { MACHINES } from './livekit-outcomes.js';

/** What an agent reports about its call. LiveKit itself reports none of these values. */
export interface AgentReports {
  answeredAt: Date | null;
  /** Whether a person or a machine answered, if the agent reports it. */
  answered: boolean;
  machine: boolean;
}

const ANSWERED_AT = 'outdial.answeredAt';
const ANSWERED_BY = 'outdial.answeredBy';

/**
 * Reads an agent's reports from the callee's attributes. If an attribute is absent, its key is looked up in
 * the room's metadata, if the metadata is a JSON object. A malformed value counts as absent: it does not
 * decide an outcome.
 */
export function agentReports(attributes: Record<string, string>, roomMetadata: string): AgentReports {
  const said: Record<string, unknown> = { ...objectFrom(roomMetadata), ...attributes };
  const answeredAt = instantFrom(said[ANSWERED_AT]);
  const answeredBy = said[ANSWERED_BY];
  const isSaid = typeof answeredBy === 'string' && answeredBy !== '';
  return {
    answeredAt,
    answered: answeredAt !== null || isSaid,
    machine: isSaid && MACHINES.has(answeredBy),
  };
}

/** ISO 8601 with its zone, or milliseconds since 1970. */
function instantFrom(value: unknown): Date | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return null;
  if (/^\d{12,14}$/.test(text)) return new Date(Number(text));
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)) return null;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at;
}
