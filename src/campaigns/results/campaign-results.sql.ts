import { callOf } from '../../dialing/facts/facts.sql.js';
import { isoInstant } from '../../database/iso-instant.js';
import { type Statement } from '../../database/transactions.js';
import { REFUSAL_OUTCOMES } from '../../domain/refused-by.js';
import { FilterColumns } from '../../lists/filter-sql.js';
import { fitting, WALK_WINDOW } from '../../lists/newest-first.js';
import { HOLD, type Hold } from '../definition/hold.js';
import { CONTACT_FIELDS, type CampaignResult } from './campaign-result.dto.js';
import { CHANGED_AT, RESULT_FILTERS } from './result-filters.js';

export const RESULT_FILTER_COLUMNS = new FilterColumns(RESULT_FILTERS, 6);

/**
 * A window of a campaign's enrollments, by contact: their order never changes, so no enrollment is read twice or
 * missed while the campaign works. A position has the contact as `at` and the entry as `key`. $1 team, $2 campaign,
 * $3 contact and $4 entry to begin after, $5 how many, from $6 the filters.
 */
export const WALK_RESULTS: Statement = {
  name: 'walk_campaign_results',
  text: `
    SELECT w.id, w.contact_id::text AS at, w.entry::text AS key, w.matches, w.n = ${WALK_WINDOW} AS ends
    FROM (
      SELECT e.id, e.contact_id, e.entry, ${RESULT_FILTER_COLUMNS.matches()} AS matches,
        row_number() OVER (ORDER BY e.contact_id, e.entry) AS n
      FROM enrollments e
      WHERE e.team_id = $1 AND e.campaign_id = $2 AND (e.contact_id, e.entry) > ($3::uuid, $4::integer)
      ORDER BY e.contact_id, e.entry LIMIT ${WALK_WINDOW}
    ) w
    WHERE w.matches OR w.n = ${WALK_WINDOW}
    ORDER BY w.contact_id, w.entry
    LIMIT $5`,
};

/** A result with the hold of its campaign. */
export type ResultRow = CampaignResult & { hold: Hold };

const REFUSALS = REFUSAL_OUTCOMES.map((reason) => `'${reason}'`).join(', ');

const CONTACT = Object.entries(CONTACT_FIELDS)
  .map(([name, { sql }]) => `${sql} AS "${name}"`)
  .join(', ');

/**
 * SQL: the outcome of the last call `d`. If retention has removed the call `r`, the timeline of the enrollment still
 * has it.
 */
const LAST_OUTCOME = `CASE
        WHEN d.call_request_id IS NULL THEN NULL
        WHEN r.id IS NULL THEN (
          SELECT coalesce(t.line->>'reason', t.line->>'status') FROM jsonb_array_elements(e.timeline) WITH ORDINALITY AS t (line, n)
          WHERE t.line->>'kind' = 'call' AND t.line->>'callRequestId' = d.call_request_id::text
          ORDER BY t.n DESC LIMIT 1)
        WHEN r.status = 'failed' AND r.reason IN (${REFUSALS}) THEN r.reason
        WHEN r.phase = 2 OR r.status = 'dial_unknown' THEN r.status
      END`;

/** SQL: a row by its id. The order keeps Postgres from using an index of the team instead. */
const rowOf = (table: string, id: string) =>
  `SELECT * FROM ${table} WHERE id = ANY(ARRAY[${id}]) ORDER BY id OFFSET 0`;

/**
 * The results of enrollments, as many as fit into a page. The last dial of each is looked up by its key, and its call
 * and result by the id of the call. $1 team, $2 campaign, $3 enrollments in their order, $4 custom properties.
 */
export const CAMPAIGN_RESULTS: Statement = {
  name: 'campaign_results',
  text: fitting(`
      SELECT q.n, e.id AS "enrollmentId", ${CONTACT}, own.properties AS "customProperties",
        e.status, e.end_reason AS "endReason", e.step,
        (SELECT coalesce(sum(counted.value::integer), 0)::integer FROM jsonb_each_text(e.calls) counted) AS attempts,
        ${LAST_OUTCOME} AS "lastOutcome", u.disposition,
        d.call_request_id AS "lastCallId", ${isoInstant('d.claimed_at')} AS "lastCallAt",
        ${isoInstant('e.next_attempt_at')} AS "nextAttemptAt", e.waiting_for AS "waitingFor",
        v.number AS version, e.version_id AS "versionId", e.entry, ${isoInstant('e.created_at')} AS "createdAt",
        ${isoInstant(CHANGED_AT)} AS "updatedAt", held.hold,
        octet_length(own.properties::text) + coalesce(octet_length(u.disposition), 0) AS bytes
      FROM unnest($3::uuid[]) WITH ORDINALITY AS q (id, n)
      CROSS JOIN LATERAL (${rowOf('enrollments', 'q.id')}) e
      CROSS JOIN LATERAL (${rowOf('contacts', 'e.contact_id')}) c
      CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_object_agg(p.name, c.custom_properties->p.name), '{}') AS properties
        FROM unnest($4::text[]) AS p (name)) own
      CROSS JOIN LATERAL (${rowOf('campaign_versions', 'e.version_id')}) v
      LEFT JOIN LATERAL (
        SELECT o.call_request_id, o.claimed_at FROM enrollment_dials o
        WHERE o.enrollment_id = e.id ORDER BY o.seq DESC LIMIT 1) d ON true
      LEFT JOIN LATERAL (${callOf('d.call_request_id')}) r ON true
      LEFT JOIN LATERAL (
        SELECT f.disposition FROM call_results f WHERE f.call_request_id = d.call_request_id OFFSET 0) u ON true
      CROSS JOIN (
        SELECT ${HOLD} AS hold
        FROM campaigns p JOIN teams t ON t.id = p.team_id CROSS JOIN platform_settings s
        WHERE p.team_id = $1 AND p.id = $2) held
      WHERE e.team_id = $1 AND e.campaign_id = $2`),
};
