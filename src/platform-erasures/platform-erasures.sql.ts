import { type Statement } from '../database/transactions.js';

/** $1 the most rows. */
export const DUE_ERASURES: Statement = {
  name: 'platform_erasures_due',
  text: `SELECT id, team_id, carrier, carrier_call_id, carrier_account_id, attempts, goes_on
    FROM platform_erasures_due($1)`,
};

/** $1 team, $2 call. */
export const DROP_ERASURE: Statement = {
  name: 'drop_platform_erasure',
  text: 'DELETE FROM platform_erasures WHERE team_id = $1 AND id = $2',
};

/** $1 team, $2 call, $3 why the attempt failed. */
export const NOTE_ERASURE: Statement = {
  name: 'note_platform_erasure',
  text: 'UPDATE platform_erasures SET reason = $3 WHERE team_id = $1 AND id = $2',
};
