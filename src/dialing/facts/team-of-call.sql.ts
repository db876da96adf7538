import { type Statement } from '../../database/transactions.js';

export interface TeamOfCallRow extends Record<string, unknown> {
  /** null: there is no such call. */
  team_id: string | null;
}

/** The security-definer function sees every call. $1 call request. */
export const TEAM_OF_CALL: Statement = {
  name: 'team_of_call',
  text: 'SELECT team_of_call($1) AS team_id',
};
