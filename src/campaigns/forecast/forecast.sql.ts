import {
  CLOCK,
  complianceFacts,
  type ComplianceFactsRow,
  exists,
  limitedEntriesOfPerson,
  numberUsable,
  joinForms,
  ON_PLATFORM_DO_NOT_CALL,
  onDoNotCall,
  TEAM_RULES,
  type TeamRulesRow,
} from '../../dialing/facts/facts.sql.js';
import { type Statement } from '../../database/transactions.js';
import { type CallingHours } from '../../domain/calling-hours.js';
import { type Purpose } from '../../domain/compliance/pack.js';
import { type SentComplianceSetting } from '../../domain/compliance/setting.js';
import { type CampaignStatus } from '../definition/campaign.entity.js';
import {
  type AttemptRow,
  ATTEMPTS,
  LAST_CONVERSATION,
  ms,
  OTHER_CALL,
  PROCESSED_TO_NUMBER,
} from '../engine/facts.sql.js';

/** The settings of a version's campaign and team. */
export interface SceneRow extends TeamRulesRow {
  now: Date;
  campaign_status: CampaignStatus;
  pacing: { maxConcurrentCalls?: number | null; callsPerMinute?: number | null } | null;
  paused: boolean;
  retry_within_redial_window: boolean;
  has_erased_numbers: boolean;
  compliance: SentComplianceSetting;
  home_country: string | null;
  definition: Record<string, unknown>;
  definition_format: number | null;
}

/** $1 team, $2 campaign, $3 version. */
export const SCENE: Statement = {
  name: 'forecast_scene',
  text: `
    WITH ${CLOCK}
    SELECT clock.now, p.status AS campaign_status, p.pacing, t.paused OR s.paused AS paused, t.retry_within_redial_window,
      ${TEAM_RULES},
      t.has_erased_numbers, t.compliance, t.default_country AS home_country, v.definition, v.definition_format
    FROM clock
    CROSS JOIN campaign_versions v
    JOIN campaigns p ON p.team_id = v.team_id AND p.id = v.campaign_id
    JOIN teams t ON t.id = v.team_id
    CROSS JOIN platform_settings s
    WHERE v.team_id = $1 AND v.campaign_id = $2 AND v.id = $3`,
};

export interface SceneAgentRow {
  id: string;
  timezone: string;
  calling_hours: CallingHours;
  closed_dates: string[];
  purpose: Purpose | null;
  deleted: boolean;
  has_caller_id: boolean;
}

/** Agents, also deleted ones. A pool takes precedence over the agent's number. $1 team, $2 ids. */
export const SCENE_AGENTS: Statement = {
  name: 'forecast_agents',
  text: `
    SELECT a.id, a.timezone, a.calling_hours, a.closed_dates, a.purpose, a.deleted_at IS NOT NULL AS deleted,
      CASE WHEN a.number_pool_id IS NOT NULL THEN
        ${exists(`number_pool_members m
          JOIN phone_numbers n ON n.team_id = m.team_id AND n.phone_number = m.phone_number
          WHERE m.team_id = t.id AND m.number_pool_id = a.number_pool_id AND n.active AND n.outbound_enabled`)}
      ELSE a.outbound_phone_number IS NOT NULL AND ${numberUsable('a.outbound_phone_number')} END AS has_caller_id
    FROM voice_agents a JOIN teams t ON t.id = a.team_id
    WHERE a.team_id = $1 AND a.id = ANY($2::uuid[])`,
};

/** A live enrollment; instants in milliseconds. */
export interface ForecastRow {
  number: string;
  zone: string | null;
  erased: boolean;
  paused: boolean;
  step: string | null;
  enrolledAt: number;
  notBefore: number | null;
  lookAt: number | null;
  attempts: AttemptRow[] | null;
  processedAt: number[] | null;
  lastConversationAt: number | null;
  otherCall: { expiresAt: number; runsAt: number | null } | null;
  whitelisted: boolean;
  onDoNotCall: boolean;
  /** Null for a team whose compliance is `off`. The setting and the country are those of the scene. */
  compliance: Omit<ComplianceFactsRow, 'setting' | 'homeCountry'> | null;
}

/** A page of live enrollments. The rows stay text until the thread reads them. */
export interface ForecastPageRow {
  /** An array of {@link ForecastRow} as JSON. */
  rows: string;
  count: number;
  /** The cursor of the next page; null without rows. */
  last: string | null;
  /** The numbers of the rows; null if $8 is false. */
  numbers: string[] | null;
}

/**
 * Live enrollments of a version, sorted by the ids of their contacts. $1 team, $2 how long a call may last in
 * ms, $3 campaign, $4 version, $5 status, $6 contact after which the page begins, $7 how many, $8 whether the
 * numbers are needed, $9 whether the instants of last conversations are needed.
 */
export const FORECAST_PAGE: Statement = {
  name: 'forecast_page',
  text: `
    WITH ${CLOCK},
    page AS MATERIALIZED (
      SELECT e.* FROM enrollments e
      WHERE e.team_id = $1 AND e.campaign_id = $3 AND e.version_id = $4 AND e.status = $5 AND e.contact_id > $6
      ORDER BY e.contact_id
      LIMIT $7),
    facts AS (
      SELECT e.contact_id, c.phone_number, json_build_object(
        'number', c.phone_number, 'zone', c.timezone, 'erased', c.erased_at IS NOT NULL, 'paused', e.status = 'paused',
        'step', e.step, 'enrolledAt', ${ms('e.created_at')}, 'notBefore', ${ms('e.not_before')}, 'lookAt', ${ms('e.look_at')},
        'attempts', ${ATTEMPTS}, 'processedAt', ${PROCESSED_TO_NUMBER},
        'lastConversationAt', CASE WHEN $9 THEN ${ms(LAST_CONVERSATION)} END,
        'otherCall', ${OTHER_CALL},
        'whitelisted', ${exists('whitelist w WHERE w.team_id = e.team_id AND w.phone_number = c.phone_number')},
        'onDoNotCall', ${onDoNotCall('e.team_id')} OR ${ON_PLATFORM_DO_NOT_CALL} OR ${exists(
          `${limitedEntriesOfPerson('e.team_id')}
          WHERE (l.scope = 'team' OR l.campaign_id = e.campaign_id)
          AND l.effective_from <= clock.now AND (l.expires_at IS NULL OR l.expires_at > clock.now)`,
        )},
        'compliance', ${complianceFacts('true', 'p.purpose')} - ARRAY['setting', 'homeCountry']) AS row
      FROM clock CROSS JOIN page e
      JOIN contacts c ON c.team_id = e.team_id AND c.id = e.contact_id
      JOIN teams t ON t.id = e.team_id
      JOIN campaigns p ON p.team_id = e.team_id AND p.id = e.campaign_id
      ${joinForms('c.phone_number')})
    SELECT coalesce(json_agg(row ORDER BY contact_id), '[]')::text AS rows, count(*)::integer AS count,
      (array_agg(contact_id ORDER BY contact_id DESC))[1] AS last,
      CASE WHEN $8 THEN array_agg(phone_number ORDER BY contact_id) END AS numbers
    FROM facts`,
};
