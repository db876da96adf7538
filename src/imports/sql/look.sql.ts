import { type Statement } from '../../database/transactions.js';

/** The settings of a team by which the rows of its files are read. */
export interface TeamOfRowsRow extends Record<string, unknown> {
  /** As an ISO 3166 code. */
  default_country: string | null;
  accept_unknown_ranges: boolean;
}

/** $1 team. */
export const TEAM_OF_ROWS: Statement = {
  name: 'team_of_rows',
  text: 'SELECT default_country, accept_unknown_ranges FROM teams WHERE id = $1',
};
