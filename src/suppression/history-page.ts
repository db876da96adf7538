import { phoneNumberFilter } from '../http/filters.js';
import { type Page, pageOf } from '../http/page.js';
import { type SuppressionEntryResource } from './number-lists.dto.js';

/** The number whose ledger is read. */
export const HISTORY_FILTERS = {
  phoneNumber: phoneNumberFilter('The number, in any notation that the list accepts. It must be sent.'),
};

/** A row of the ledger, with the id by which it is paged. */
export interface SuppressionEntryRow extends SuppressionEntryResource, Record<string, unknown> {
  id: string;
}

/** The page of `rows`, of which one more than the limit was read. */
export function pageOfHistory(
  rows: readonly SuppressionEntryRow[],
  request: { limit: number },
): Page<SuppressionEntryResource> {
  return pageOf(
    rows,
    request,
    ({ id }) => [id],
    ({ id: _, ...entry }) => entry,
  );
}
