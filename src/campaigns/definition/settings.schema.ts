import { MAX_COUNT, MAX_WEIGHT } from '../../domain/campaigns/definition/parse-settings.js';
import { described, type JsonSchema, nullable } from '../../http/json-schema.js';
import { closed, DURATION_SCHEMA } from './definition.schema.js';

const COUNT: JsonSchema = { type: 'integer', minimum: 1, maximum: MAX_COUNT };

const PACING = {
  maxConcurrentCalls: described(COUNT, 'Calls of the campaign that are active at a time; null is no limit.'),
  callsPerMinute: described(COUNT, 'Calls that the campaign starts in any 60 seconds; null is no limit.'),
  weight: described(
    { type: 'integer', minimum: 1, maximum: MAX_WEIGHT },
    'Its share among the team’s campaigns; 1 by default.',
  ),
};

const REENTRY = {
  maxEntries: described(COUNT, 'Enrollments of one contact in all; null is no limit.'),
  minInterval: described(
    DURATION_SCHEMA,
    'From the end of the enrollment before to the next one; null is none.',
  ),
};

/** What `parsePacing` takes; null is no limit and weight 1. */
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
