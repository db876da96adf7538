import { END_REASONS } from '../../domain/campaigns/decide/decision.js';
import { type FilterOf, instantFilter, type ListFilter, oneOfFilter } from '../../http/filters.js';
import { TEXT_SCHEMA } from '../../http/json-schema.js';
import { inSql } from '../../lists/filter-sql.js';
import { ENROLLMENT_LIST_FILTERS } from '../records/enrollment.dto.js';

const MAX_PROPERTIES = 50;

/** SQL: when the enrollment `e` last changed. `updated_at` has changes of its status, its timeline all others. */
export const CHANGED_AT = `greatest(e.updated_at, (e.timeline->-1->>'at')::timestamptz)`;

/** The filters of a campaign's results. `matches` is SQL for an enrollment `e`. */
export const RESULT_FILTERS = {
  status: inSql(ENROLLMENT_LIST_FILTERS.status, 'text', (value) => `e.status = ${value}`),
  endReason: inSql(
    oneOfFilter(Object.values(END_REASONS).flat(), 'Only enrollments that ended with this `endReason`.'),
    'text',
    (value) => `e.end_reason = ${value}`,
  ),
  updatedFrom: inSql(
    instantFilter('Only enrollments that changed at this instant or later, as `updatedAt` says.'),
    'timestamptz',
    (value) => `${CHANGED_AT} >= ${value}`,
  ),
  // It chooses columns, and no rows.
  properties: {
    description: `The custom properties of the contacts to show, separated by commas, at most ${MAX_PROPERTIES}.`,
    schema: { ...TEXT_SCHEMA, examples: ['plan,crm_owner'] },
    rule: `must be 1 to ${MAX_PROPERTIES} names of custom properties, separated by commas`,
    read: (text) => {
      const names = [...new Set(text.split(','))];
      const isRefused = names.includes('') || names.length > MAX_PROPERTIES || text.includes('\0');
      return isRefused ? undefined : names;
    },
  } satisfies ListFilter<string[]>,
};
export type ResultFilter = FilterOf<typeof RESULT_FILTERS>;
