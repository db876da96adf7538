import { type CampaignStatus } from '../../campaigns/definition/campaign.entity.js';
import { type Hold, HOLD } from '../../campaigns/definition/hold.js';
import { type EnrollmentState } from '../../domain/enrollment-states.js';

const MOST_ENROLLMENTS = 50;

export interface EnrollmentOfNumberRow {
  id: string;
  campaign_id: string;
  campaign: string;
  campaign_status: CampaignStatus;
  status: EnrollmentState;
  end_reason: string | null;
  step: string | null;
  waiting_for: string | null;
  /** Of its campaign; null: the campaign dials, or the enrollment has ended. */
  hold: Hold;
  next_attempt_at: Date | null;
  created_at: Date;
}

/** The newest enrollments of the contact that has the number. $1 team, $2 number. */
export const ENROLLMENTS_OF_NUMBER = `
  SELECT e.id, e.campaign_id, p.name AS campaign, p.status AS campaign_status, e.status, e.end_reason, e.step,
    e.waiting_for, e.next_attempt_at, e.created_at, CASE WHEN e.status IN ('active', 'paused') THEN ${HOLD} END AS hold
  FROM contacts c JOIN enrollments e ON e.team_id = c.team_id AND e.contact_id = c.id
  JOIN campaigns p ON p.id = e.campaign_id JOIN teams t ON t.id = c.team_id CROSS JOIN platform_settings s
  WHERE c.team_id = $1 AND c.phone_number = $2
  ORDER BY e.created_at DESC, e.id DESC
  LIMIT ${MOST_ENROLLMENTS}`;
