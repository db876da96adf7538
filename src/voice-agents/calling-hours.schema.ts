import { maxClosedDates, maxWindowsADay, weekdays } from '../domain/calling-hours.js';
import { type JsonSchema, listOf } from '../http/json-schema.js';

const WINDOW: JsonSchema = {
  type: 'object',
  properties: {
    start: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', examples: ['09:00'] },
    end: {
      type: 'string',
      pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
      description:
        'The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.',
      examples: ['17:00'],
    },
  },
  required: ['start', 'end'],
  additionalProperties: false,
};

/** What `parseCallingHours` accepts. Only that function checks that the hours have an opening at all. */
export const CALLING_HOURS_SCHEMA: JsonSchema = {
  type: ['object', 'null'],
  properties: Object.fromEntries(weekdays.map((day) => [day, listOf(WINDOW, { maxItems: maxWindowsADay })])),
  additionalProperties: false,
};

/** What `parseClosedDates` accepts. */
export const CLOSED_DATES_SCHEMA: JsonSchema = listOf(
  { type: 'string', format: 'date', examples: ['2026-12-25'] },
  { maxItems: maxClosedDates },
);
