import { type Statement } from '../../database/transactions.js';
import { type ConsentLevel, type Purpose, type Voice } from '../../domain/compliance/pack.js';
import { exactInstant, type PositionedRow } from '../../lists/newest-first.js';

/** A consent with what has ended it first, by the clock `now`. */
export interface ConsentRow extends Record<string, unknown> {
  id: string;
  team_id: string;
  phone_number: string;
  level: ConsentLevel;
  purpose: Purpose | null;
  voice: Voice | null;
  source: string | null;
  evidence: string | null;
  granted_at: Date;
  expires_at: Date | null;
  created_at: Date;
  /** The first opt-out or revocation up to now; null: there is none. */
  ended_at: Date | null;
  revoked: boolean | null;
  end_reason: string | null;
  now: Date;
}

export type ListedConsentRow = ConsentRow & PositionedRow;

/**
 * SQL: the columns of a {@link ConsentRow}.
 * @param consent a relation that has the columns of `consents`. @param clock one that has `now`.
 */
const withEnd = (consent: string, clock: string) => `
    SELECT c.id, c.team_id, c.phone_number, c.level, c.purpose, c.voice, c.source, c.evidence, c.granted_at, c.expires_at,
      c.created_at, e.ended_at, e.revoked, e.reason AS end_reason, clock.now,
      ${exactInstant('c.created_at')} AS at, c.id::text AS key
    FROM ${consent} c CROSS JOIN ${clock} clock
    LEFT JOIN LATERAL (
      SELECT e.ended_at, e.revoked, e.reason FROM endings_of_consent(c.team_id, ARRAY[c.phone_number], c.id, c.granted_at) e
      WHERE e.ended_at <= clock.now
      ORDER BY e.ended_at, e.revoked LIMIT 1
    ) e ON true`;

const CLOCK = 'clock AS MATERIALIZED (SELECT outdial_now() AS now)';

/** The newest first. $1 team, $2 instant and $3 id to begin after, $4 how many. */
export const LIST_CONSENTS: Statement = {
  name: 'list_consents',
  text: `
    WITH ${CLOCK}, page AS MATERIALIZED (
      SELECT c.* FROM consents c
      WHERE c.team_id = $1 AND (c.created_at, c.id) < ($2::timestamptz, $3::uuid)
      ORDER BY c.created_at DESC, c.id DESC LIMIT $4
    )
    ${withEnd('page', 'clock')}
    ORDER BY c.created_at DESC, c.id DESC`,
};

/**
 * As {@link LIST_CONSENTS}, those of a number. $5 all forms of the number. See `consents_of` for the look-up of each form.
 */
export const LIST_CONSENTS_OF_NUMBER: Statement = {
  name: 'list_consents_of_number',
  text: `
    WITH ${CLOCK}, own AS MATERIALIZED (
      SELECT c.* FROM unnest($5::text[]) AS form (number) CROSS JOIN LATERAL (
        SELECT * FROM consents c WHERE c.team_id = $1 AND c.phone_number = form.number
        ORDER BY c.granted_at OFFSET 0) c
    ), page AS MATERIALIZED (
      SELECT c.* FROM own c WHERE (c.created_at, c.id) < ($2::timestamptz, $3::uuid)
      ORDER BY c.created_at DESC, c.id DESC LIMIT $4
    )
    ${withEnd('page', 'clock')}
    ORDER BY c.created_at DESC, c.id DESC`,
};

/** $1 team, $2 consent. */
export const FIND_CONSENT: Statement = {
  name: 'find_consent',
  text: `
    WITH ${CLOCK}, found AS MATERIALIZED (SELECT c.* FROM consents c WHERE c.team_id = $1 AND c.id = $2)
    ${withEnd('found', 'clock')}`,
};

/**
 * Records a consent under the lock of its number. It returns no row if the consent was given later than now. $1 team,
 * $2 number, $3 level, $4 purpose, $5 voice, $6 source, $7 evidence, $8 when it was given, $9 when it expires.
 */
export const RECORD_CONSENT: Statement = {
  name: 'record_consent',
  text: `
    WITH ${CLOCK}, added AS (
      INSERT INTO consents (team_id, phone_number, level, purpose, voice, source, evidence, granted_at, expires_at, created_at)
      SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, clock.now FROM clock WHERE $8::timestamptz <= clock.now
      RETURNING *
    )
    ${withEnd('added', 'clock')}`,
};

/** SQL: the columns of the consents of a file, as JSON has them. `n` is the index. */
const GIVEN = `(n integer, phone_number text, level text, purpose text, voice text,
        source text, evidence text, granted_at timestamptz, expires_at timestamptz)`;

/** SQL: whether a given consent is recorded already. $1 team. @param given a relation with the columns of {@link GIVEN}. */
const isRecorded = (given: string) => `EXISTS (
        SELECT FROM consents c
        WHERE c.team_id = $1 AND c.phone_number = ${given}.phone_number AND c.level = ${given}.level
          AND c.granted_at = ${given}.granted_at
          AND (c.purpose, c.voice, c.source, c.evidence, c.expires_at)
            IS NOT DISTINCT FROM (${given}.purpose, ${given}.voice, ${given}.source, ${given}.evidence, ${given}.expires_at))`;

/**
 * Records the consents of a file, except those that are recorded already. It returns the index of each new one. $1 team,
 * $2 the consents as a JSON array. The caller holds the locks of the numbers.
 */
export const RECORD_CONSENTS: Statement = {
  name: 'record_consents',
  text: `
    WITH ${CLOCK}, given AS MATERIALIZED (
      SELECT DISTINCT ON (q.phone_number, q.level, q.purpose, q.voice, q.source, q.evidence, q.granted_at, q.expires_at)
        uuidv7() AS id, q.*
      FROM json_to_recordset($2::json) AS q ${GIVEN}
      ORDER BY q.phone_number, q.level, q.purpose, q.voice, q.source, q.evidence, q.granted_at, q.expires_at, q.n
    ), added AS (
      INSERT INTO consents (id, team_id, phone_number, level, purpose, voice, source, evidence, granted_at, expires_at, created_at)
      SELECT g.id, $1, g.phone_number, g.level, g.purpose, g.voice, g.source, g.evidence, g.granted_at, g.expires_at, clock.now
      FROM given g CROSS JOIN clock
      WHERE NOT ${isRecorded('g')}
      RETURNING id
    )
    SELECT g.n FROM given g JOIN added a ON a.id = g.id`,
};

/** The indexes of the consents of a file that {@link RECORD_CONSENTS} would not record again. $1 team, $2 as there. */
export const KNOWN_CONSENTS: Statement = {
  name: 'known_consents',
  text: `
    SELECT q.n FROM json_to_recordset($2::json) AS q ${GIVEN}
    WHERE ${isRecorded('q')}`,
};

/** The clock by which consents are judged. */
export const CONSENT_CLOCK: Statement = { name: 'consent_clock', text: 'SELECT outdial_now() AS now' };

/**
 * Revokes a consent. It adds no row if the consent is revoked from the same instant or an earlier one, or if the
 * instant is in the future or before the consent. $1 team, $2 consent, $3 instant or null for now, $4 reason or null.
 */
export const REVOKE_CONSENT: Statement = {
  name: 'revoke_consent',
  text: `
    WITH ${CLOCK}, asked AS MATERIALIZED (
      SELECT c.*, coalesce($3::timestamptz, clock.now) AS ends_at, clock.now
      FROM consents c CROSS JOIN clock WHERE c.team_id = $1 AND c.id = $2
    )
    INSERT INTO consent_endings (team_id, phone_number, consent_id, ended_at, reason, created_at)
    SELECT a.team_id, a.phone_number, a.id, a.ends_at, $4, a.now FROM asked a
    WHERE a.ends_at BETWEEN a.granted_at AND a.now
      AND NOT EXISTS (
        SELECT FROM consent_endings e WHERE e.team_id = $1 AND e.consent_id = $2 AND e.ended_at <= a.ends_at)
    RETURNING id`,
};

/** Locks the number of a consent. $1 team, $2 consent. */
export const LOCK_NUMBER_OF_CONSENT: Statement = {
  name: 'lock_number_of_consent',
  text: `
    SELECT pg_advisory_xact_lock(number_lock_key(team_id, person_number(phone_number)))
    FROM consents WHERE team_id = $1 AND id = $2`,
};
