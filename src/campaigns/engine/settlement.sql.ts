import { setTeams } from '../../database/team-scope.js';
import { type Statement } from '../../database/transactions.js';

/** An enrollment whose row is locked until the transaction ends, to be decided without a dial. */
export interface SettlingEnrollment {
  id: string;
  teamId: string;
}

/**
 * Takes enrollments that are to be decided without a dial, and sets the scope of the transaction to their teams. $1
 * campaigns, $2 how many enrollments of each at most, $3 whether those are taken that are due for a dial and were
 * not decided since.
 */
export const TAKE_SETTLING: Statement = {
  name: 'take_settling_enrollments',
  text: `SELECT taken, ${setTeams('teams')} FROM take_settling_enrollments($1, $2, $3)`,
};

/**
 * SQL conditions on the enrollment `e`, by which its team's requests name it. $2 see the names; the numbers are all
 * forms of the persons' numbers.
 */
const NAMED_BY = {
  ids: 'e.id = ANY($2::uuid[])',
  numbers: `e.contact_id IN (SELECT c.id FROM contacts c WHERE c.team_id = $1 AND c.phone_number = ANY($2::text[]))`,
  callsToNumber: `e.contact_id IN (
          SELECT c.id FROM call_requests r JOIN contacts c ON c.team_id = r.team_id
            AND c.phone_number IN (person_number(r.phone_number), other_number_of_person(r.phone_number))
          WHERE r.team_id = $1 AND r.id = ANY($2::uuid[]))`,
  campaigns: 'e.campaign_id = ANY($2::uuid[])',
};
export type NamedBy = keyof typeof NAMED_BY;

/** Takes enrollments of a team to which something has happened that is not decided yet. $1 team, $2 names. */
export function takeHappened(by: NamedBy): Statement {
  return {
    name: `take_happened_by_${by}`,
    text: `
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'teamId', $1::uuid)), '[]') AS taken
    FROM (
      SELECT e.id FROM enrollments e
      WHERE e.team_id = $1 AND ${NAMED_BY[by]} AND e.status IN ('active', 'paused')
        AND e.settle_at <= outdial_now() AND e.calls <> '{}'
        AND NOT EXISTS (SELECT FROM campaign_versions v WHERE v.id = e.version_id AND v.migrates_to IS NOT NULL)
        AND pg_try_advisory_xact_lock_shared(campaign_settling_key(e.campaign_id))
      LIMIT 100
      FOR UPDATE OF e SKIP LOCKED) h`,
  };
}
