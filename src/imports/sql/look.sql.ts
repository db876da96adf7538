import { type Statement } from '../../database/transactions.js';
import { type TakenImport } from './work.sql.js';

/** The settings of a team by which the rows of its files are read. */
export type TeamOfRowsRow = Pick<TakenImport, 'default_country' | 'accept_unknown_ranges'> & {
  has_erased_numbers: boolean;
};

/** $1 team. */
export const TEAM_OF_ROWS: Statement = {
  name: 'team_of_rows',
  text: 'SELECT default_country, accept_unknown_ranges, has_erased_numbers FROM teams WHERE id = $1',
};
