import { type FilterOf, instantFilter, type ListFilter, textFilter, uuidFilter } from '../http/filters.js';

/** The filters of the audit log, within a team or across all. */
export const AUDIT_FILTERS = {
  action: textFilter(
    100,
    'Only this action, such as `api_key.revoked`, or those of a kind of row: `api_key`.',
  ),
  actor: textFilter(
    320,
    'Only rows of this actor: a kind (`user`, `key`, `token`, `cli`, `system`), an id, or a part of the name.',
  ),
  target: textFilter(100, 'Only rows about the row with this id.'),
  from: instantFilter('Only rows from this instant on.'),
  to: instantFilter('Only rows before this instant.'),
} satisfies Record<string, ListFilter>;

/** Those of the operator's list. */
export const ALL_AUDIT_FILTERS = { teamId: uuidFilter('Only rows of this team.'), ...AUDIT_FILTERS };

export type AuditFilter = FilterOf<typeof ALL_AUDIT_FILTERS>;
