import { MAX_CALL_SECONDS } from '../../domain/campaigns/forecast/assumption.js';
import { CHANCE_NAMES } from '../../domain/drawn-outcome.js';
import { described, type JsonSchema } from '../../http/json-schema.js';
import { closed } from '../definition/definition.schema.js';

const CHANCE: JsonSchema = { type: 'number', minimum: 0, maximum: 1 };

/** What `parseAssumption` takes. */
export const ASSUMPTION_SCHEMA: JsonSchema = closed(
  {
    ...Object.fromEntries(CHANCE_NAMES.map((name) => [name, CHANCE])),
    seconds: described(
      { type: 'number', minimum: 0, maximum: MAX_CALL_SECONDS },
      'The time from the claim to the end of a call, in seconds. It must be above 0, and applies to every outcome.',
    ),
  },
  ['seconds'],
);
