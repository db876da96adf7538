import { type Statement } from '../../database/transactions.js';

/** Deliveries that one round of {@link ERASE_ANSWERS} changes at most. */
export const DELIVERIES_A_ROUND = 2_000;

/**
 * Removes what receivers have answered to the events of a number, and what leads to it. An attempt under way
 * has sent the event as it was. Its answer is not recorded, and the event is sent again as it is now. $1
 * team, $2 number.
 */
export const ERASE_ANSWERS: Statement = {
  name: 'erase_webhook_answers',
  text: `
    WITH due AS MATERIALIZED (
      SELECT d.id FROM webhook_deliveries d
      WHERE d.subject = number_lock_key($1, $2) AND d.team_id = $1
      ORDER BY d.id
      LIMIT ${DELIVERIES_A_ROUND}
      FOR UPDATE
    )
    UPDATE webhook_deliveries d SET subject = NULL, answer = NULL, claimed_until = NULL
    WHERE d.id = ANY (ARRAY(SELECT due.id FROM due))`,
};
