import {
  type CampaignHistory,
  type EnrollmentDialRecord,
  type EnrollmentRecord,
  type SteeringRecords,
  type Waits,
} from './campaign-history.js';
import { type World } from './world.js';

const ms = (instant: string) => `(extract(epoch FROM ${instant}) * 1000)::float8`;

const DIALS = `
  SELECT enrollment_id AS "enrollmentId", seq, call_request_id AS "callRequestId", campaign_id AS "campaignId", step,
    ${ms('claimed_at')} AS "claimedAt"
  FROM enrollment_dials`;

const ENROLLMENTS = `
  SELECT e.id, e.team_id AS "teamId", e.campaign_id AS "campaignId", c.phone_number AS "phoneNumber", e.status,
    e.end_reason AS "endReason", CASE WHEN held.is THEN 'paused' ELSE e.waiting_for END AS "waitingFor",
    CASE WHEN NOT held.is THEN ${ms('e.next_attempt_at')} END AS "nextAttemptAt", ${ms('e.look_at')} AS "lookAt",
    ${ms('e.created_at')} AS "enrolledAt", ${ms('e.ended_at')} AS "endedAt"
  FROM enrollments e JOIN contacts c ON c.id = e.contact_id JOIN campaigns p ON p.id = e.campaign_id
  JOIN teams t ON t.id = e.team_id CROSS JOIN platform_settings s
  -- A pause is not stored with the enrollments.
  CROSS JOIN LATERAL (SELECT e.status IN ('active', 'paused') AND (p.status IN ('draft', 'paused') OR t.paused OR s.paused)
    AND coalesce(e.waiting_for, '') NOT IN ('in_call', 'outcome', 'result', 'no_steps') AS is) held`;

/** What is known of campaigns beside their tables. */
export interface CampaignView extends Pick<CampaignHistory, 'waits' | 'isOver'> {
  records: SteeringRecords;
}

const NOTHING: CampaignView = {
  records: { enrolled: [], exits: [], pauses: [] },
  waits: null,
  isOver: false,
};

export async function collectCampaigns(
  { db, campaigns }: World,
  { records, waits, isOver } = NOTHING,
): Promise<CampaignHistory> {
  const dials = await db.query<EnrollmentDialRecord>(DIALS);
  const enrollments = await db.query<EnrollmentRecord>(ENROLLMENTS);
  return {
    ...records,
    waits,
    isOver,
    campaigns: campaigns.all,
    retryingTeams: campaigns.retryingTeams,
    dials: dials.rows,
    enrollments: enrollments.rows,
  };
}

/** The live enrollments as they are now. */
export async function collectWaits({ db }: World): Promise<Waits> {
  // The clock first: what was true at this instant may only have been acted upon since.
  const clock = await db.query<{ now: number }>(`SELECT ${ms('outdial_now()')} AS now`);
  const live = await db.query<EnrollmentRecord>(`${ENROLLMENTS} WHERE e.status IN ('active', 'paused')`);
  return { now: clock.rows[0]?.now ?? 0, live: live.rows };
}
