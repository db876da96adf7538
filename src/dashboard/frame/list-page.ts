import { type PageRequest as ListRequest, parsePageRequest } from '../../http/page.js';

/**
 * The page of a list that an operations page shows.
 *
 * @param cursor of the page before; null: the first page.
 * @throws AppError `INVALID_REQUEST` for the cursor.
 */
export function listPage(
  limit: number,
  cursor: string | null,
  filters: Record<string, string> = {},
): ListRequest<string> {
  const sent = { ...filters, limit: String(limit), ...(cursor !== null && { cursor }) };
  return parsePageRequest(sent, Object.keys(filters));
}
