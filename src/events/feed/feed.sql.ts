import { fitting, WALK_WINDOW } from '../../lists/newest-first.js';
import { type Statement } from '../../database/transactions.js';
import { eventBytes, eventColumns, numbersAfter, type NumberedEventRow } from './event.sql.js';

/** Which events are kept, and how far the feed was read; every row has these columns. */
export interface FeedState {
  /** Every event up to this sequence is removed. */
  removed: string;
  /** The sequence of the oldest kept event; null: none is kept. */
  oldest: string | null;
  /** The sequence of the last examined event; null: there is no event after `after`. */
  scanned: string | null;
}

/** SQL: how many events {@link READ_EVENTS} examines at most. */
const EXAMINED = `CASE WHEN $3::text[] IS NULL THEN $4::integer ELSE ${WALK_WINDOW} END`;

/** A row of {@link READ_EVENTS}. If there is no event, the columns of the event are null. */
export type FeedRow = FeedState & ({ n: null } | (NumberedEventRow & { n: string; found: string }));

/**
 * Reads a team's events in the order of their sequences; returns at least one row. With types, it examines at
 * most {@link WALK_WINDOW} events. $1 team, $2 sequence to begin after, $3 types or null for all, $4 how
 * many.
 */
export const READ_EVENTS: Statement = {
  name: 'read_events',
  text: `
    WITH kept AS MATERIALIZED (
      SELECT coalesce((SELECT s.removed_through FROM event_sequences s WHERE s.team_id = $1), 0) AS removed
    ), scanned AS MATERIALIZED (
      SELECT b.position, b.sequence
      FROM (${numbersAfter('$1', 'greatest($2::bigint, (SELECT kept.removed FROM kept))', EXAMINED)}) b
      ORDER BY b.last, b.n
      LIMIT ${EXAMINED}
    ), chosen AS MATERIALIZED (
      SELECT s.position, s.sequence, row_number() OVER (ORDER BY s.sequence) AS n FROM scanned s
      WHERE $3::text[] IS NULL OR (SELECT e.type FROM events e WHERE e.position = s.position) = ANY ($3)
      ORDER BY s.sequence
      LIMIT $4::integer
    )
    SELECT kept.removed, (SELECT max(s.sequence) FROM scanned s) AS scanned,
      (SELECT b.last - cardinality(b.positions) + 1 FROM event_batches b
        WHERE b.team_id = $1 AND b.last > kept.removed ORDER BY b.last LIMIT 1) AS oldest,
      shown.*
    FROM kept LEFT JOIN (${fitting(`
      SELECT q.*, ${eventBytes('q')} AS bytes FROM (
        SELECT c.n, c.sequence, ${eventColumns('e')}
        FROM chosen c
        CROSS JOIN LATERAL (SELECT * FROM events WHERE position = c.position OFFSET 0) e) q`)}) shown ON true
    ORDER BY shown.n`,
};
