import { duration } from '../../domain/narrator/duration.js';
import { address } from '../design/address.js';
import { figure } from './counts.view.js';
import { count } from '../design/local-time.js';
import { LISTED } from './overview.sql.js';
import { type Frame } from '../frame/page-frame.service.js';

/** The most due enrollments of a campaign that a page counts. */
const COUNTED = 10_000;
/** A campaign with due enrollments that places no call for this time needs a look. */
const STALLED_MS = 600_000;

/**
 * Campaigns that are not paused and have enrollments that are due to be dialed, those of the longest overdue
 * enrollment first. $1 the instant of the page, $2 team or null for all teams.
 */
export const CAMPAIGN_BACKLOG = `
  SELECT p.id, p.name, t.id AS team_id, t.name AS team, due.people, due.oldest, last.claimed_at AS dialed_at, recent.dials
  FROM campaigns p JOIN teams t ON t.id = p.team_id CROSS JOIN platform_settings s
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS people, min(e.look_at) AS oldest
    FROM generate_series(0, 2) AS rank CROSS JOIN LATERAL (
      SELECT e.look_at FROM enrollments e
      WHERE e.campaign_id = p.id AND e.status = 'active' AND e.dial_rank = rank AND e.look_at IS NOT NULL AND e.look_at <= $1::timestamptz
      ORDER BY e.look_at
      LIMIT ${COUNTED}) e) due
  LEFT JOIN LATERAL (
    SELECT d.claimed_at FROM enrollment_dials d WHERE d.campaign_id = p.id ORDER BY d.claimed_at DESC LIMIT 1) last ON true
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS dials FROM (
      SELECT FROM enrollment_dials d
      WHERE d.campaign_id = p.id AND d.claimed_at > $1::timestamptz - interval '10 minutes'
      LIMIT ${COUNTED}) d) recent
  WHERE p.status = 'active' AND NOT t.paused AND NOT s.paused AND due.people > 0 AND ($2::uuid IS NULL OR p.team_id = $2)
  ORDER BY due.oldest
  LIMIT ${LISTED}`;

export interface CampaignBacklogRow {
  id: string;
  name: string;
  team_id: string;
  team: string;
  people: number;
  oldest: Date;
  dialed_at: Date | null;
  /** Calls that the campaign placed in the last 10 minutes. */
  dials: number;
}

/** Whether people are due, and none is called. */
export function isStalled(now: Date, { oldest, dialed_at: dialedAt }: CampaignBacklogRow): boolean {
  const before = (at: Date | null) => at === null || now.getTime() - at.getTime() > STALLED_MS;
  return before(oldest) && before(dialedAt);
}

/** The figure and the text of the overview's tile. */
export function backlogTile({ now }: Frame, campaigns: CampaignBacklogRow[]) {
  const people = campaigns.reduce((sum, row) => sum + row.people, 0);
  const [first] = campaigns;
  const late =
    first === undefined ? '' : `, the first for ${duration(now.getTime() - first.oldest.getTime())}`;
  const more = campaigns.length === LISTED || campaigns.some((row) => row.people >= COUNTED);
  return {
    mood: campaigns.some((row) => isStalled(now, row)) ? ('bad' as const) : ('' as const),
    figure: people === 0 ? 'None' : figure(people, more),
    text: `Due in campaigns${late}`,
  };
}

/** The backlog of each campaign; nothing if there is none. */
export function CampaignBacklogSection({
  frame,
  campaigns,
}: {
  frame: Frame;
  campaigns: CampaignBacklogRow[];
}) {
  const { now, team, request } = frame;
  if (campaigns.length === 0) return null;
  return (
    <section class="card" id="campaigns">
      <h2>Campaigns with people due now</h2>
      <table class="stack">
        <thead>
          <tr>
            <th>Campaign</th>
            {team === null && <th>Team</th>}
            <th class="number">People due</th>
            <th>First due for</th>
            <th class="number">Calls in 10 minutes</th>
            <th>Last call</th>
          </tr>
        </thead>
        {campaigns.map((row) => (
          <tr data-campaign={row.id}>
            <td class="long">
              <a
                href={address(`/t/${row.team_id}/campaigns/${row.id}`, {
                  timezone: request.parameter('timezone'),
                })}
              >
                {row.name}
              </a>
              {isStalled(now, row) && <div class="small">No call for 10 minutes</div>}
            </td>
            {team === null && (
              <td class="long" data-name="Team">
                {row.team}
              </td>
            )}
            <td class="number" data-name="People due">
              {figure(row.people, row.people >= COUNTED)}
            </td>
            <td data-name="First due for">{duration(now.getTime() - row.oldest.getTime())}</td>
            <td class="number" data-name="Calls in 10 minutes">
              {count(row.dials)}
            </td>
            <td data-name="Last call">
              {row.dialed_at === null ? '–' : `${duration(now.getTime() - row.dialed_at.getTime())} ago`}
            </td>
          </tr>
        ))}
      </table>
    </section>
  );
}
