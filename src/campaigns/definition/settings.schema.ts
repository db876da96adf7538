import {
  INITIAL_CALLS_PER_MINUTE,
  MAX_COUNT,
  MAX_WEIGHT,
} from '../../domain/campaigns/definition/parse-settings.js';
import { described, type JsonSchema, nullable } from '../../http/json-schema.js';
import { closed, DURATION_SCHEMA } from './definition.schema.js';

const COUNT: JsonSchema = { type: 'integer', minimum: 1, maximum: MAX_COUNT };

const PACING = {
  maxConcurrentCalls: described(
    COUNT,
    'The maximum number of active calls of the campaign. Null is no limit.',
  ),
  callsPerMinute: described(
    COUNT,
    'The maximum number of calls that the campaign starts in any 60 seconds. Null is no limit. ' +
      `A new campaign has ${INITIAL_CALLS_PER_MINUTE}.`,
  ),
  weight: described(
    { type: 'integer', minimum: 1, maximum: MAX_WEIGHT },
    'The weight of the campaign among the campaigns of the team. While several have due calls, dials are divided in proportion to ' +
      'their weights. The default is 1.',
  ),
};

const REENTRY = {
  maxEntries: described(
    COUNT,
    'The maximum number of enrollments of one contact in the campaign, the first included. Null is no limit.',
  ),
  minInterval: described(
    DURATION_SCHEMA,
    'The minimum time between the end of an enrollment and the next enrollment. Null is no minimum.',
  ),
};

/** What `parsePacing` takes; null is no limits and weight 1. */
export const PACING_SCHEMA: JsonSchema = closed(PACING);

/** What `parseReentry` takes; null is one entry. */
export const REENTRY_SCHEMA: JsonSchema = closed(REENTRY);

/** The settings as the resource of a campaign shows them. */
export const PACING_PROPERTIES = {
  maxConcurrentCalls: nullable(PACING.maxConcurrentCalls),
  callsPerMinute: nullable(PACING.callsPerMinute),
  weight: PACING.weight,
};
export const REENTRY_PROPERTIES = {
  maxEntries: nullable(REENTRY.maxEntries),
  minInterval: nullable(REENTRY.minInterval),
};
