import { ERASING_CARRIERS } from '../carriers/registry.js';
import { type Query, query, type Statement } from '../database/transactions.js';

/** $1 team, $2 number, $3 carriers that can erase calls. */
const ENLIST: Statement = {
  name: 'enlist_platform_erasures',
  text: `
    INSERT INTO platform_erasures (id, team_id, carrier, carrier_call_id, carrier_account_id, due_at, created_at)
    SELECT r.id, r.team_id, r.carrier, r.carrier_call_id, a.carrier_account_id, clock.now, clock.now
    FROM call_requests r
    CROSS JOIN (SELECT date_trunc('milliseconds', outdial_now()) AS now) clock
    LEFT JOIN voice_agents a ON a.team_id = r.team_id AND a.id = r.agent_id
    WHERE r.team_id = $1 AND r.phone_number = $2 AND r.carrier = ANY ($3)
      AND (r.carrier_call_id IS NOT NULL OR r.status IN ('dialing', 'in_progress', 'dial_unknown'))
    ON CONFLICT (id) DO NOTHING`,
};

/**
 * Enlists the calls to a number for their erasure at the platforms. This runs in the transaction that erases the
 * person, while the calls still have the number.
 */
export function enlistPlatformErasures(teamId: string, phoneNumber: string): Query {
  return query(ENLIST, teamId, phoneNumber, ERASING_CARRIERS);
}
