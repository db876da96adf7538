import { type Statement } from '../database/transactions.js';

export interface KeyLockRow {
  /** The team of the API key. */
  team_id: string;
  acquired: boolean;
}

/**
 * Tries the lock of the key. The transaction that gets the lock processes the request; no other transaction
 * waits for the lock. $1 SHA-256 of the API key, $2 idempotency key.
 */
export const LOCK_KEY: Statement = {
  name: 'lock_idempotency_key',
  text: `
    SELECT k.team_id, pg_try_advisory_xact_lock(idempotency_lock_key(k.team_id, $2)) AS acquired
    FROM api_keys k
    WHERE k.key_hash = $1 AND key_is_live(k.revoked_at, k.expires_at)`,
};

/**
 * How long a stored answer is replayed. The functions of the database that remove old answers use the same
 * age.
 */
export const ANSWER_HOURS = 24;

const IS_REPLAYED = `i.created_at > outdial_now() - interval '${ANSWER_HOURS} hours'`;

export interface StoredAnswerRow {
  fingerprint: Buffer;
  status: number;
  body: Record<string, unknown>;
}

/** The stored answer, unless it is too old to be replayed. $1 SHA-256 of the API key, $2 idempotency key. */
export const FIND_ANSWER: Statement = {
  name: 'find_idempotent_answer',
  text: `
    SELECT i.fingerprint, i.status, i.body
    FROM api_keys k JOIN idempotency_keys i ON i.team_id = k.team_id AND i.key = $2
    WHERE k.key_hash = $1 AND key_is_live(k.revoked_at, k.expires_at) AND ${IS_REPLAYED}`,
};

/**
 * The stored answers of several requests, except those that are too old to be replayed. `n` is the request's
 * index from 0. $1 SHA-256 of the requests' API keys, $2 each idempotency key or null.
 */
export const FIND_ANSWERS: Statement = {
  name: 'find_idempotent_answers',
  text: `
    SELECT q.n::integer - 1 AS n, i.fingerprint, i.status, i.body
    FROM unnest($1::bytea[], $2::text[]) WITH ORDINALITY AS q (key_hash, key, n)
    JOIN api_keys k ON k.key_hash = q.key_hash AND key_is_live(k.revoked_at, k.expires_at)
    JOIN idempotency_keys i ON i.team_id = k.team_id AND i.key = q.key
    WHERE ${IS_REPLAYED}`,
};

/**
 * Stores an answer, which replaces any older answer of the key. The transaction holds the key's lock, and
 * FIND_ANSWER has found no answer to replay. $1 team, $2 key, $3 fingerprint, $4 status, $5 body.
 */
export const STORE_ANSWER = storingAnswer('store_idempotent_answer', '$5');

/** {@link STORE_ANSWER} with another body. @param body SQL for it, as json. */
export function storingAnswer(name: string, body: string): Statement {
  return {
    name,
    text: `
    INSERT INTO idempotency_keys (team_id, key, fingerprint, status, body, created_at)
    VALUES ($1, $2, $3, $4, ${body}, outdial_now())
    ON CONFLICT (team_id, key) DO UPDATE SET
      fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
      created_at = excluded.created_at`,
  };
}

/**
 * Deletes a team's answers about a contact, its calls, its enrollments and its number, and the answers whose key contains
 * the number or the e-mail address. $1 team, $2 contact, $3 the last digits of the number, $4 e-mail address
 * or null, $5 age of the answers in whole hours. If $5 is {@link ANSWER_HOURS}, older answers are deleted,
 * too.
 */
export const ERASE_ANSWERS: Statement = {
  name: 'erase_answers',
  text: `
    DELETE FROM idempotency_keys i
    WHERE i.team_id = $1
      AND i.created_at <= CASE WHEN $5::integer > 0 THEN outdial_now() - $5::integer * interval '1 hour' ELSE 'infinity' END
      AND i.created_at > CASE WHEN $5::integer < ${ANSWER_HOURS} THEN outdial_now() - ($5::integer + 1) * interval '1 hour' ELSE '-infinity' END
      AND (
        i.body ->> 'contactId' = $2::uuid::text
        OR i.body ->> 'enrollmentId' IN (
          SELECT e.id::text FROM enrollments e WHERE e.team_id = $1 AND e.contact_id = $2::uuid)
        OR i.body ->> 'phoneNumber' LIKE '%' || $3
        OR strpos(regexp_replace(i.key, '[^0-9]', '', 'g'), $3) > 0
        OR strpos(lower(i.key), lower($4)) > 0)`,
};
