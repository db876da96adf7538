import { type FilterOf, oneOfFilter } from '../http/filters.js';
import { inSql } from '../lists/filter-sql.js';
import { IMPORT_STATES } from './import.entity.js';

/** The filters of a team's list of imports. `matches` is SQL for an import `i`. */
export const IMPORT_FILTERS = {
  status: inSql(
    oneOfFilter(IMPORT_STATES, 'Only imports with this status.'),
    'text',
    (value) => `i.status = ${value}`,
  ),
};
export type ImportFilter = FilterOf<typeof IMPORT_FILTERS>;
