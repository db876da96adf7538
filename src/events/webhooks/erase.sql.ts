import { type Statement } from '../../database/transactions.js';

/** One round of {@link ERASE_ANSWERS} changes at most this many deliveries. */
export const DELIVERIES_A_ROUND = 2_000;

/**
 * Removes the answers of receivers to the events of a number, and the `subject` that leads to the number. An
 * attempt under way may have sent the event as it was before the erasure. Its answer is not recorded, and the
 * event is sent again in its erased form. $1 team, $2 number.
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
