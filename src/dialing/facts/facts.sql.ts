import { ACTIVE_PHASE } from '../../domain/call-states.js';
import { COUNTS_BEFORE_HOURS } from '../../domain/call-window.js';
import { type Statement } from '../../database/transactions.js';
import { type CallingHours } from '../../domain/calling-hours.js';
import { type LimitedEntry } from '../../domain/limited-entry.js';
import { type ConsentFact, type RegisterFact } from '../../domain/compliance/facts.js';
import { type Purpose } from '../../domain/compliance/pack.js';
import { type SentComplianceSetting } from '../../domain/compliance/setting.js';
import { TEAM_RULE_COLUMNS, type TeamRuleRow } from '../../domain/team-settings.js';
import { monthOf, MAX_UNCOMMITTED, planUsed } from './plan.sql.js';

/** The columns of {@link TEAM_RULES}. */
export interface TeamRulesRow extends TeamRuleRow {
  /** null: the plan has no limit. */
  plan_used: number | null;
}

/** What packs judge of a call, besides its number and its zone. */
export interface ComplianceFactsRow {
  setting: SentComplianceSetting;
  purpose: Purpose | null;
  /** The team's default country. */
  homeCountry: string | null;
  /** The values of the contact's custom properties that the setting names; null: none. */
  region: unknown;
  consent: unknown;
  consents: ConsentFact[];
  registers: RegisterFact[];
  /** In ms, as far back as {@link LONGEST_CAP}. */
  processedAt: number[];
  lastConversationAt: number | null;
}

/** The columns that the facts of a trigger and of a firing have in common. */
export interface SharedFactsRow extends TeamRulesRow {
  now: Date;
  /** Whether a decision by these facts needs the team's exclusive lock. */
  needs_exclusive_lock: boolean;
  whitelisted: boolean;
  on_do_not_call: boolean;
  on_platform_do_not_call: boolean;
  /** The entries of the number that hold only for a campaign, an agent, a purpose or a time; null: none. */
  limited_do_not_call: LimitedEntry[] | null;
  processed_at_ms: number[] | null;
  /** Whether the number may also have rows under its erased form that `ErasedFacts` has not added yet. */
  has_erased_numbers: boolean;
  older_pending_call_id: string | null;
  agent_timezone: string;
  calling_hours: CallingHours;
  closed_dates: string[];
  contact_timezone: string | null;
  /** null for a team whose compliance is `off`. */
  compliance: ComplianceFactsRow | null;
}

/**
 * The instant of a decision, in whole milliseconds, because JavaScript keeps no more. The statement of the
 * facts reads the clock, after the transaction has taken the locks.
 */
export const CLOCK = `clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now)`;

/**
 * Like {@link CLOCK}, for calls that may be stored. `call_clock` also makes the partition of their month if
 * there is none.
 */
export const CALL_CLOCK = 'clock AS MATERIALIZED (SELECT call_clock() AS now)';

export const MONTH_OF_NOW = monthOf('clock.now');

/**
 * SQL: whether a row exists, with one index access for each outer row. With `EXISTS`, Postgres may read the
 * whole table instead, because it assumes a small table until there are statistics. @param from SQL after
 * `FROM`.
 */
export function exists(from: string): string {
  return `(SELECT true FROM ${from} LIMIT 1) IS NOT NULL`;
}

/**
 * SQL: the call with an id, found by the index of the ids. In a plain join Postgres may scan all calls of the
 * team, because it assumes few calls until there are statistics. The `ORDER BY` leads Postgres to the index.
 *
 * @param id SQL for the id.
 */
export function callOf(id: string): string {
  return `SELECT * FROM call_requests WHERE id = ANY(ARRAY[${id}]) ORDER BY id OFFSET 0`;
}

/** SQL: whether a call is pending. @param call its relation, or nothing. */
export function isPendingCall(call = ''): string {
  return `${call === '' ? '' : `${call}.`}phase <= 0`;
}

/**
 * SQL: whether a pending call may be due soon, so that it blocks other calls to its number ({@link
 * COUNTS_BEFORE_HOURS}). @param call its relation.
 */
export function blocksOthers(call: string): string {
  return `(${call}.not_before IS NULL OR ${call}.not_before <= clock.now + interval '${COUNTS_BEFORE_HOURS} hours')`;
}

/**
 * SQL: whether a pending call has a job. A call that waits for a concurrency slot has no job until a slot is
 * offered to it. @param call its relation, or nothing.
 */
export function isAwake(call = ''): string {
  const of = call === '' ? '' : `${call}.`;
  return `(${of}waiting_since IS NULL OR ${of}line_offered_at IS NOT NULL)`;
}

/** SQL: whether a call is active: claimed, and not known to have ended. @param call its relation. */
export function isActiveCall(call: string): string {
  return `${call}.phase = ${ACTIVE_PHASE}`;
}

/** SQL: whether a call may have been dialed. @param call its relation. */
export function isPastPending(call: string): string {
  return `${call}.phase > 0`;
}

/**
 * SQL: a condition that is true of every call. Indexes of many numbers contain the condition, so that
 * Postgres does not use them for a query about one number.
 * @param call its relation, or nothing.
 */
export function ofManyNumbers(call = ''): string {
  return `${call === '' ? '' : `${call}.`}generation >= 0`;
}

/** SQL: whether the team `t` may call from a number. @param number SQL for the number. */
export function numberUsable(number: string): string {
  return exists(`phone_numbers n
        WHERE n.team_id = t.id AND n.phone_number = ${number} AND n.active AND n.outbound_enabled`);
}

/**
 * SQL: what guardrails read of the team `t`, and the calls that its plan has counted in the month of `clock`.
 */
export const TEAM_RULES = `${TEAM_RULE_COLUMNS.map((column) => `t.${column}`).join(', ')},
    CASE WHEN t.monthly_call_limit IS NOT NULL THEN ${planUsed('t.id', MONTH_OF_NOW)} END AS plan_used`;

/**
 * SQL: columns about a team, its agent, and a number, whose forms are joined by {@link joinForms}.
 *
 * @param phone SQL for the number.
 * @param self SQL condition on `o`, a call to the number: whether `o` is another call than the one to
 *   decide.
 * @param concurrencySlotLimit SQL for the team's limit of concurrency slots; `NULL` if the decision
 *   occupies none.
 * @param older SQL condition on `o`, a pending call to the number: whether `o` is older than the call to
 *   decide.
 * @param purpose SQL for the purpose of the call, which beats the team's.
 */
export function sharedColumns(
  phone: string,
  concurrencySlotLimit: string,
  self: string,
  older: string,
  purpose = 'a.purpose',
): string {
  return `
    clock.now,
    ${TEAM_RULES},
    needs_exclusive_lock(t.id, t.monthly_call_limit, ${concurrencySlotLimit}, ${MAX_UNCOMMITTED}) AS needs_exclusive_lock,
    ${exists(`whitelist w WHERE w.team_id = t.id AND w.phone_number = ${phone}`)} AS whitelisted,
    ${onDoNotCall('t.id')} AS on_do_not_call, ${ON_PLATFORM_DO_NOT_CALL} AS on_platform_do_not_call,
    CASE WHEN t.has_limited_do_not_call THEN ${limitedDoNotCall('t.id')} END AS limited_do_not_call,
    ${processedAt('t.id', self)} AS processed_at_ms,
    t.has_erased_numbers,
    (SELECT o.id FROM ${OF_PERSON} CROSS JOIN LATERAL (
        SELECT o.id, o.accepted_at FROM call_requests o
        WHERE o.team_id = t.id AND o.phone_number = person.number AND ${isPendingCall('o')}
          AND o.expires_at > clock.now AND ${blocksOthers('o')} AND ${older}
        -- The outer order must not lead to the index of the team's list.
        ${BY_NUMBER}) o
      ORDER BY o.accepted_at, o.id LIMIT 1) AS older_pending_call_id,
    a.timezone AS agent_timezone, a.calling_hours, a.closed_dates, c.timezone AS contact_timezone,
    ${complianceFacts(self, purpose)} AS compliance`;
}

/**
 * SQL: joins the relation `forms`, with both forms of the number of a person. Most numbers have one form; the
 * second is then null. They are computed once for each row (`OFFSET 0`): the preparation of the expressions
 * would cost more than the look-ups that need them.
 */
export function joinForms(phone: string): string {
  return `CROSS JOIN LATERAL (
      SELECT person_number(${phone}) AS first, other_number_of_person(${phone}) AS second OFFSET 0) forms`;
}

/**
 * SQL: a relation `person` with a row for each of the `forms`. Each form is looked up by itself: for two numbers
 * at once the index of a number's calls has no order. A null costs no index access.
 */
export const OF_PERSON = '(VALUES (forms.first), (forms.second)) AS person (number)';

/** SQL: whether the person of the `forms` is on the Do Not Call list of a team. */
export function onDoNotCall(team: string): string {
  return exists(`do_not_call d WHERE d.team_id = ${team} AND d.phone_number IN (forms.first, forms.second)`);
}

/** SQL: whether the person of the `forms` is on the platform's own Do Not Call list. */
export const ON_PLATFORM_DO_NOT_CALL = exists(
  'platform_do_not_call d WHERE d.phone_number IN (forms.first, forms.second)',
);

/**
 * SQL: a relation `l` with the limited Do Not Call entries of the person of the `forms`. @param team SQL for the team.
 */
export function limitedEntriesOfPerson(team: string): string {
  return `${OF_PERSON} CROSS JOIN LATERAL (
          SELECT * FROM limited_do_not_call l WHERE l.team_id = ${team} AND l.phone_number = person.number
          -- The order of the index of numbers: that of the listing has all entries of the team.
          ORDER BY l.id OFFSET 0) l`;
}

/**
 * SQL: the limited Do Not Call entries of the person of the `forms`, as an array of {@link LimitedEntry}; null: there
 * are none. Most teams have none at all, and their rows say so (`has_limited_do_not_call`).
 */
export function limitedDoNotCall(team: string): string {
  return `(SELECT jsonb_agg(jsonb_build_object(
          'scope', l.scope, 'campaignId', l.campaign_id, 'agentId', l.agent_id, 'purpose', l.purpose,
          'from', extract(epoch FROM l.effective_from) * 1000, 'until', extract(epoch FROM l.expires_at) * 1000))
        FROM ${limitedEntriesOfPerson(team)})`;
}

/**
 * SQL: the instants in ms of a team's processed calls to the person of the `forms`, as far back as a rule looks.
 * @param self see {@link sharedColumns}.
 */
function processedAt(team: string, self: string): string {
  return `(SELECT array_agg(floor(extract(epoch FROM o.processed_at) * 1000)::float8) FROM ${OF_PERSON} CROSS JOIN LATERAL (
        SELECT o.processed_at FROM call_requests o
        WHERE o.team_id = ${team} AND o.phone_number = person.number AND ${isPastPending('o')} AND ${self}
          AND o.processed_at > clock.now - interval '720 hours'
        ${BY_NUMBER}) o)`;
}

/**
 * SQL: what packs judge about the person of the `forms`, as a {@link ComplianceFactsRow}. Null for a team whose compliance
 * is `off`; then nothing is read. The calls are those of all of the team's agents and campaigns.
 *
 * @param self see {@link sharedColumns}. @param purpose see {@link sharedColumns}.
 */
export function complianceFacts(self: string, purpose: string): string {
  const numbers = 'array_remove(ARRAY[forms.first, forms.second], NULL)';
  const ms = (instant: string) => `floor(extract(epoch FROM ${instant}) * 1000)::float8`;
  return `CASE WHEN t.compliance->>'mode' <> 'off' THEN (
      SELECT jsonb_build_object(
        'setting', t.compliance, 'purpose', ${purpose}, 'homeCountry', t.default_country,
        'region', c.custom_properties->(t.compliance->>'regionProperty'),
        'consent', c.custom_properties->(t.compliance->>'consentProperty'),
        'consents', consents_of(t.id, ${numbers}, clock.now), 'registers', registers_of(${numbers}),
        'processedAt', coalesce(jsonb_agg(${ms('o.processed_at')}), '[]'),
        'lastConversationAt', ${ms(`max(o.ended_at) FILTER (WHERE o.status = 'completed')`)})
      FROM ${OF_PERSON} CROSS JOIN LATERAL (
        SELECT o.processed_at, o.ended_at, o.status FROM call_requests o
        WHERE o.team_id = t.id AND o.phone_number = person.number AND ${isPastPending('o')} AND ${self}
          AND o.processed_at > clock.now - ${LONGEST_CAP}
        ${BY_NUMBER}) o) END`;
}

/**
 * SQL: the order of the index of a number's calls. Without this order, a plan that was made while there were
 * few calls reads all calls of the team, until there are statistics.
 */
export const BY_NUMBER = 'ORDER BY o.phase, o.processed_at OFFSET 0';

/** The facts of a number under its erased form, which has no pending calls. */
export interface ErasedFactsRow extends Pick<
  SharedFactsRow,
  'on_do_not_call' | 'limited_do_not_call' | 'processed_at_ms'
> {
  /** Index among the requested numbers, from 0. */
  n: number;
  /** The check value of the key with which the numbers in the database were erased. */
  check_value: string | null;
  /** Like `processed_at_ms`, but as far back as {@link LONGEST_CAP}. */
  capped_at_ms: number[] | null;
  last_conversation_at: Date | null;
}

/** SQL: as far back as a cap of a campaign can reach. */
export const LONGEST_CAP = `interval '367 days'`;

const ERASED_WITHIN_CAPS = `o.team_id = q.team_id AND o.phone_number = q.erased AND ${isPastPending('o')}
        AND o.processed_at > clock.now - ${LONGEST_CAP}`;

/** $1 teams, $2 erased forms of numbers. */
export const ERASED_FACTS: Statement = {
  name: 'erased_facts',
  text: `
    WITH ${CLOCK}
    SELECT q.n::integer - 1 AS n, (SELECT check_value FROM erasure_key) AS check_value,
      ${onDoNotCall('q.team_id')} AS on_do_not_call, ${limitedDoNotCall('q.team_id')} AS limited_do_not_call,
      ${processedAt('q.team_id', 'true')} AS processed_at_ms,
      (SELECT array_agg(floor(extract(epoch FROM o.processed_at) * 1000)::float8) FROM (
        SELECT o.processed_at FROM call_requests o WHERE ${ERASED_WITHIN_CAPS} ${BY_NUMBER}) o) AS capped_at_ms,
      (SELECT max(o.ended_at) FROM (
        SELECT o.ended_at FROM call_requests o
        WHERE ${ERASED_WITHIN_CAPS} AND o.status = 'completed' ${BY_NUMBER}) o) AS last_conversation_at
    FROM clock CROSS JOIN unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS q (team_id, erased, n)
    ${joinForms('q.erased')}`,
};
