import { type Statement } from '../../database/transactions.js';
import { WAITING_FOR_REPORTS } from '../../domain/campaigns/decide/decision.js';

/** Why a campaign dials none of its live enrollments; null: it dials. */
export type Hold = 'draft' | 'paused' | null;

/** SQL: the hold of the campaign `p` of the team `t`, with the platform's settings `s`. */
export const HOLD = `CASE
      WHEN p.status = 'draft' THEN 'draft'
      WHEN p.status = 'paused' OR p.status = 'active' AND (t.paused OR s.paused) THEN 'paused'
    END`;

/**
 * The hold of a campaign. It is not stored with the enrollments, so that a pause costs one write and is seen at
 * once. $1 team, $2 campaign.
 */
export const HOLD_OF_CAMPAIGN: Statement = {
  name: 'hold_of_campaign',
  text: `
    SELECT ${HOLD} AS hold
    FROM campaigns p JOIN teams t ON t.id = p.team_id CROSS JOIN platform_settings s
    WHERE p.team_id = $1 AND p.id = $2`,
};

/** What a live enrollment waits for, whether or not its campaign dials. */
export const WAITS_BEHIND_HOLDS: readonly string[] = [...WAITING_FOR_REPORTS, 'no_steps'];

/**
 * What a live enrollment waits for, as its readers see it.
 *
 * @param stored of its last decision; null or empty: it was not decided yet.
 */
export function shownWaitingFor<Stored extends string | null>(
  stored: Stored,
  hold: Hold,
): Stored | 'draft' | 'paused' {
  return hold === null || WAITS_BEHIND_HOLDS.includes(stored ?? '') ? stored : hold;
}
