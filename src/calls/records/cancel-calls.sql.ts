import { type Statement } from '../../database/transactions.js';
import { isPendingCall, ofManyNumbers } from '../../dialing/facts/facts.sql.js';

/** $1 team, $2 status, $3 agent, $4 number, $5 accepted then or later, $6 accepted before; null: not set. */
const MATCHING = `
  FROM call_requests r
  WHERE r.team_id = $1 AND ${isPendingCall('r')} AND ${ofManyNumbers('r')}
    AND ($2::text IS NULL OR r.status = $2) AND ($3::uuid IS NULL OR r.agent_id = $3)
    AND ($4::text IS NULL OR r.phone_number = $4)
    AND ($5::timestamptz IS NULL OR r.accepted_at >= $5) AND ($6::timestamptz IS NULL OR r.accepted_at < $6)`;

export const COUNT_PENDING: Statement = {
  name: 'count_pending_by_filters',
  text: `SELECT count(*)::integer AS calls ${MATCHING}`,
};

/** $7 the most calls. Numbers in ascending order, as their locks are taken. */
export const FIND_PENDING: Statement = {
  name: 'find_pending_by_filters',
  text: `
    SELECT id, phone_number FROM (SELECT r.id, r.phone_number ${MATCHING} LIMIT $7) r
    ORDER BY phone_number, id`,
};

export interface PendingCallRow extends Record<string, unknown> {
  id: string;
  phone_number: string;
}
