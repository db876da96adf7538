import { activeCalls } from '../../dialing/concurrency-slots/concurrency-slots.sql.js';
import { agentColumns, type AgentFactsRow } from '../../dialing/claim/agent-facts.sql.js';
import {
  BY_NUMBER,
  CALL_CLOCK,
  callOf,
  isActiveCall,
  isPastPending,
  blocksOthers,
  isPendingCall,
  LONGEST_CAP,
  ofManyNumbers,
  joinForms,
  OF_PERSON,
  sharedColumns,
  type SharedFactsRow,
} from '../../dialing/facts/facts.sql.js';
import { MAX_UNCOMMITTED } from '../../dialing/facts/plan.sql.js';
import { setTeams } from '../../database/team-scope.js';
import { type Statement } from '../../database/transactions.js';
import { type CallState } from '../../domain/call-states.js';
import { type CampaignStatus } from '../definition/campaign.entity.js';
import { type EnrollmentStatus } from '../enrollment/enrollment.entity.js';

/**
 * An enrollment whose row is locked until the transaction ends. `lock` and `campaignLock` say how the locks
 * of its team and its campaign are held; null: a lock that the enrollment needs is not held.
 */
export interface TakenEnrollment {
  id: string;
  campaignId: string;
  lock: 'shared' | 'exclusive' | null;
  campaignLock: 'shared' | 'exclusive' | null;
}

/**
 * Takes enrollments whose dials are due, and sets the scope of the transaction to their teams. $1 campaigns, $2
 * how many enrollments of each.
 */
export const TAKE_DUE_DIALS: Statement = {
  name: 'take_due_dials',
  text: `SELECT taken, ${setTeams('teams')} FROM take_due_dials($1, $2, ${MAX_UNCOMMITTED})`,
};

/** A call request of an enrollment, in milliseconds; `status` is null if retention has removed the call. */
export interface AttemptRow {
  seq: number;
  step: string;
  callback: boolean;
  claimedAt: number;
  status: CallState | null;
  processedAt: number | null;
  endedAt: number | null;
  reason: string | null;
  last: { at: string; from: CallState | null; cause: string } | null;
  result: {
    recordedAt: number;
    disposition: string | null;
    callbackAt: number | null;
    data?: Record<string, unknown> | null;
  } | null;
}

export interface EnrollmentFactsRow extends SharedFactsRow, AgentFactsRow {
  /** The id of the call if the enrollment is dialed. */
  new_call_id: string;
  enrollment_id: string;
  campaign_id: string;
  version_id: string;
  enrollment_status: EnrollmentStatus;
  step: string | null;
  enrolled_at: Date;
  not_before: Date | null;
  waiting_for: string | null;
  next_attempt_at: Date | null;
  look_at: Date | null;
  /** -Infinity: something has happened that is not decided yet. */
  settle_at: Date | number | null;
  dial_rank: number;
  campaign_status: CampaignStatus;
  contact_erased: boolean;
  pacing: { maxConcurrentCalls?: number | null; callsPerMinute?: number | null } | null;
  paused: boolean;
  agent_deleted: boolean;
  retry_within_redial_window: boolean;
  attempts: AttemptRow[] | null;
  processed_to_number_ms: number[] | null;
  last_conversation_at: Date | null;
  /** Another call to the number; its `runsAt` is null while it is active. */
  other_call: { expiresAt: number; runsAt: number | null } | null;
  max_concurrent_calls: number | null;
  /** null if the team has no `maxConcurrentCalls`; the same for `waiting_calls`. */
  active_calls: number | null;
  waiting_calls: number | null;
  /** null if the campaign's `pacing` has no `maxConcurrentCalls`. */
  campaign_active: number | null;
  /** null if the campaign's `pacing` has no `callsPerMinute`. */
  claims_in_minute: number | null;
  paced_until: Date | null;
}

/** SQL: an instant in milliseconds. @param instant SQL for it. */
export const ms = (instant: string) => `floor(extract(epoch FROM ${instant}) * 1000)::float8`;

/** SQL condition on `o`: a call to a form of the number of the enrollment, of {@link OF_PERSON}. */
const TO_NUMBER = 'o.team_id = e.team_id AND o.phone_number = person.number';

/** SQL: the calls of the enrollment, as an array of {@link AttemptRow}. @param data SQL for the data of results. */
const attempts = (data: string) => `(SELECT jsonb_agg(jsonb_build_object(
          'seq', d.seq, 'step', d.step, 'callback', d.callback, 'claimedAt', ${ms('d.claimed_at')}, 'status', r.status,
          'processedAt', ${ms('r.processed_at')}, 'endedAt', ${ms('r.ended_at')}, 'reason', r.reason, 'last', r.history->-1,
          'result', (SELECT jsonb_build_object(
              'recordedAt', ${ms('u.recorded_at')}, 'disposition', u.disposition, 'callbackAt', ${ms('u.callback_at')}${data})
            FROM call_results u WHERE u.call_request_id = d.call_request_id)) ORDER BY d.seq)
        FROM enrollment_dials d LEFT JOIN LATERAL (${callOf('d.call_request_id')}) r ON true
        WHERE d.enrollment_id = e.id)`;

/** SQL: {@link attempts} without the data of results, which can be large. */
export const ATTEMPTS = attempts('');

/** SQL: processed calls to the number within the longest period of a cap. */
const WITHIN_CAPS = `${TO_NUMBER} AND ${isPastPending('o')} AND o.processed_at > clock.now - ${LONGEST_CAP}`;

/** SQL: the instants of the processed calls to the number, in milliseconds. */
export const PROCESSED_TO_NUMBER = `(SELECT array_agg(${ms('o.processed_at')}) FROM ${OF_PERSON} CROSS JOIN LATERAL (
        SELECT o.processed_at FROM call_requests o WHERE ${WITHIN_CAPS} ${BY_NUMBER}) o)`;

/** SQL: the end of the last completed call to the number. */
export const LAST_CONVERSATION = `(SELECT max(o.ended_at) FROM ${OF_PERSON} CROSS JOIN LATERAL (
        SELECT o.ended_at FROM call_requests o WHERE ${WITHIN_CAPS} AND o.status = 'completed' ${BY_NUMBER}) o)`;

/** SQL: another call to the number that is active or pending. $2 how long a call may last in ms. */
export const OTHER_CALL = `coalesce(
        (SELECT jsonb_build_object('expiresAt', ${ms('o.expires_at')}, 'runsAt', NULL) FROM ${OF_PERSON} CROSS JOIN LATERAL (
          SELECT o.expires_at, o.processed_at FROM call_requests o
          WHERE ${TO_NUMBER} AND o.processed_at > clock.now - interval '25 hours'
            AND ${isActiveCall('o')}
            AND (o.status <> 'dial_unknown' OR o.claimed_at > clock.now - $2::float8 * interval '1 ms')
            AND o.enrollment_id IS DISTINCT FROM e.id
          ORDER BY o.processed_at LIMIT 1) o
          ORDER BY o.processed_at LIMIT 1),
        (SELECT jsonb_build_object('expiresAt', ${ms('o.expires_at')}, 'runsAt', ${ms('o.runs_at')}) FROM ${OF_PERSON} CROSS JOIN LATERAL (
          SELECT o.expires_at, o.runs_at FROM call_requests o
          WHERE ${TO_NUMBER} AND ${isPendingCall('o')} AND o.expires_at > clock.now AND ${blocksOthers('o')}
          ORDER BY o.expires_at DESC LIMIT 1) o
          ORDER BY o.expires_at DESC LIMIT 1))`;

/** SQL: how many calls of the campaign are under way. */
const CAMPAIGN_ACTIVE = `(SELECT count(*)::integer FROM call_requests b
        JOIN enrollments of_campaign ON of_campaign.id = b.enrollment_id AND of_campaign.campaign_id = e.campaign_id
        WHERE b.team_id = e.team_id AND ${isActiveCall('b')} AND ${ofManyNumbers('b')}
          AND (b.status <> 'dial_unknown' OR b.claimed_at > clock.now - $2::float8 * interval '1 ms'))`;

/** SQL: the claims of the campaign in the last 60 seconds. */
const CLAIMS_IN_MINUTE = `FROM enrollment_dials d
        WHERE d.campaign_id = e.campaign_id AND d.claimed_at > clock.now - interval '60 seconds'`;

/**
 * The facts by which enrollments are decided, in the order of $1. The agent is the agent of the enrollment's
 * step, even a deleted one. Before the enrollment has entered a step, it is the agent of the first step. If
 * the version has no such step, the columns of the agent are null. $1 enrollments, $2 how long a call may
 * last in ms.
 */
export const ENROLLMENT_FACTS: Statement = {
  name: 'enrollment_facts',
  text: `
    WITH ${CALL_CLOCK}
    SELECT
      new_call_id(clock.now) AS new_call_id, e.id AS enrollment_id, e.team_id, e.campaign_id, e.version_id, e.contact_id, e.status AS enrollment_status, e.step,
      e.created_at AS enrolled_at, e.not_before, e.waiting_for, e.next_attempt_at, e.look_at, e.settle_at, e.dial_rank,
      p.status AS campaign_status, p.pacing, t.paused OR s.paused AS paused, t.retry_within_redial_window,
      a.deleted_at IS NOT NULL AS agent_deleted, c.phone_number,
      c.erased_at IS NOT NULL AS contact_erased,
      ${attempts(`, 'data', u.data`)} AS attempts,
      CASE WHEN v.definition #>> '{caps,perNumber,0}' IS NOT NULL THEN ${PROCESSED_TO_NUMBER} END AS processed_to_number_ms,
      CASE WHEN v.definition #>> '{caps,afterConversation}' IS NOT NULL THEN ${LAST_CONVERSATION} END AS last_conversation_at,
      ${OTHER_CALL} AS other_call,
      t.max_concurrent_calls,
      CASE WHEN t.max_concurrent_calls IS NOT NULL THEN ${activeCalls('t.id', '$2::float8')} END AS active_calls,
      CASE WHEN t.max_concurrent_calls IS NOT NULL THEN
        (SELECT count(*)::integer FROM (
          SELECT FROM call_requests w
          WHERE w.team_id = t.id AND ${isPendingCall('w')} AND w.waiting_since IS NOT NULL
          LIMIT t.max_concurrent_calls) waiting) END AS waiting_calls,
      CASE WHEN p.pacing->>'maxConcurrentCalls' IS NOT NULL THEN ${CAMPAIGN_ACTIVE} END AS campaign_active,
      CASE WHEN p.pacing->>'callsPerMinute' IS NOT NULL THEN
        (SELECT count(*)::integer ${CLAIMS_IN_MINUTE}) END AS claims_in_minute,
      CASE WHEN p.pacing->>'callsPerMinute' IS NOT NULL THEN
        (SELECT d.claimed_at + interval '60 seconds' ${CLAIMS_IN_MINUTE}
          ORDER BY d.claimed_at DESC OFFSET (p.pacing->>'callsPerMinute')::integer - 1 LIMIT 1) END AS paced_until,
      ${agentColumns('NULL::uuid', 'e.id')},
      ${sharedColumns('c.phone_number', 't.max_concurrent_calls', 'true', 'true', 'coalesce(p.purpose, a.purpose)')}
    FROM clock
    CROSS JOIN unnest($1::uuid[]) WITH ORDINALITY AS asked (id, n)
    JOIN enrollments e ON e.id = asked.id
    JOIN campaigns p ON p.team_id = e.team_id AND p.id = e.campaign_id
    JOIN campaign_versions v ON v.id = e.version_id
    JOIN teams t ON t.id = e.team_id
    JOIN contacts c ON c.team_id = e.team_id AND c.id = e.contact_id
    ${joinForms('c.phone_number')}
    LEFT JOIN voice_agents a ON a.team_id = e.team_id AND a.id = (
      SELECT (steps.step->>'agentId')::uuid
      FROM jsonb_array_elements(
        CASE WHEN v.definition_format IS NOT NULL AND jsonb_typeof(v.definition->'steps') = 'array'
          THEN v.definition->'steps' ELSE '[]' END) WITH ORDINALITY AS steps (step, n)
      WHERE e.step IS NULL OR steps.step->>'key' = e.step
      ORDER BY steps.n
      LIMIT 1)
    CROSS JOIN platform_settings s
    ORDER BY asked.n`,
};

export interface VersionRow {
  id: string;
  definition: Record<string, unknown>;
  definition_format: number | null;
}

/** The versions of enrollments, each version once. $1 enrollments. */
export const VERSIONS_OF_ENROLLMENTS: Statement = {
  name: 'versions_of_enrollments',
  text: `
    SELECT v.id, v.definition, v.definition_format FROM campaign_versions v
    WHERE v.id IN (SELECT e.version_id FROM enrollments e WHERE e.id = ANY($1::uuid[]))`,
};
