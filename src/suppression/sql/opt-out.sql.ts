import { type Statement } from '../../database/transactions.js';
import { noting } from './ledger.sql.js';

/**
 * SQL: a relation `l` with the limited entries of numbers of the team $1. Each number is looked up by itself, in the order
 * of the index of numbers. Otherwise a generic plan may read all entries of the team. `row` is their `ctid`. @param numbers
 * SQL for the numbers.
 */
function limitedEntries(numbers: string): string {
  return `unnest(${numbers}) AS form (number) CROSS JOIN LATERAL (
        SELECT l.ctid AS row, l.* FROM limited_do_not_call l WHERE l.team_id = $1 AND l.phone_number = form.number
        ORDER BY l.id OFFSET 0) l`;
}

/** SQL: as {@link limitedEntries}, a relation `d` with the rows of the entries without limits, of which a number has one. */
function unlimitedEntries(numbers: string): string {
  return `unnest(${numbers}) AS form (number) CROSS JOIN LATERAL (
        SELECT d.ctid AS row FROM do_not_call d WHERE d.team_id = $1 AND d.phone_number = form.number OFFSET 0) d`;
}

/**
 * Adds numbers to the Do Not Call list, and the entries of the ledger. Returns each number that was not on the list.
 * The caller holds the locks of the numbers. A number whose erased form is on the list is not added. A number that
 * is on the list already has no further entry in the ledger, except an opt-out, which is told each time. A trigger ends
 * the consents of each number that the statement tries to insert.
 *
 * $1 team, $2 numbers, $3 reason, $4 the erased form of each number, or null, $5 source, $6 purpose or null, which is
 * only told.
 */
export const ADD_TO_DO_NOT_CALL: Statement = {
  name: 'add_to_do_not_call',
  text: `
    WITH asked AS (
      SELECT number FROM unnest($2::text[], $4::text[]) AS asked (number, erased)
      WHERE NOT EXISTS (SELECT FROM do_not_call d WHERE d.team_id = $1 AND d.phone_number = asked.erased)
    ), added AS (
      INSERT INTO do_not_call (team_id, phone_number, reason) SELECT $1, number, $3 FROM asked
      ON CONFLICT (team_id, phone_number) DO NOTHING
      RETURNING phone_number
    ), noted AS (
      ${noting({
        from: `asked LEFT JOIN added ON added.phone_number = asked.number
        WHERE added.phone_number IS NOT NULL OR $5::text = 'opt_out'`,
        team: '$1::uuid',
        number: 'asked.number',
        action: `'added'`,
        scope: `'team'`,
        source: '$5::text',
        purpose: '$6::text',
        reason: '$3::text',
      })}
    )
    SELECT phone_number FROM added`,
};

/**
 * Those of some numbers whose entry without limits is on the list, also in the erased form. $1 team, $2 numbers, $3 the
 * erased form of each number, or null.
 */
export const FIND_LISTED: Statement = {
  name: 'find_listed',
  text: `
    SELECT asked.number FROM unnest($2::text[], $3::text[]) AS asked (number, erased)
    WHERE EXISTS (
      SELECT FROM do_not_call d WHERE d.team_id = $1 AND d.phone_number IN (asked.number, asked.erased))`,
};

/**
 * Adds entries that hold only for a campaign, an agent, a purpose or a time, and their entries of the ledger. Returns
 * each number for which no entry held at least as long for the same. The caller holds the locks of the numbers.
 *
 * $1 team, $2 numbers, $3 reason, $4 the erased form of each number, or null, $5 source, $6 purpose or null, $7 scope,
 * $8 campaign or null, $9 agent or null, $10 effective from, or null for now, $11 expires at, or null.
 */
export const ADD_LIMITED: Statement = {
  name: 'add_limited_do_not_call',
  text: `
    WITH clock AS MATERIALIZED (SELECT coalesce($10::timestamptz, outdial_now()) AS effective_from),
    asked AS (
      SELECT asked.number FROM clock CROSS JOIN unnest($2::text[], $4::text[]) AS asked (number, erased)
      WHERE NOT EXISTS (
          SELECT FROM ${limitedEntries('ARRAY[asked.number, asked.erased]')}
          WHERE l.scope = $7
            AND l.campaign_id IS NOT DISTINCT FROM $8::uuid AND l.agent_id IS NOT DISTINCT FROM $9::uuid
            AND (l.purpose IS NULL OR l.purpose = $6::text)
            AND l.effective_from <= clock.effective_from AND (l.expires_at IS NULL OR l.expires_at >= $11::timestamptz))
        AND NOT EXISTS (
          SELECT FROM ${unlimitedEntries('ARRAY[asked.number, asked.erased]')}
          WHERE $7 = 'team')
    ), added AS (
      INSERT INTO limited_do_not_call
        (team_id, phone_number, reason, purpose, scope, campaign_id, agent_id, effective_from, expires_at)
      SELECT $1, number, $3, $6, $7, $8, $9, clock.effective_from, $11 FROM clock CROSS JOIN asked
      RETURNING phone_number
    ), noted AS (
      ${noting({
        from: 'added CROSS JOIN clock',
        team: '$1::uuid',
        number: 'added.phone_number',
        action: `'added'`,
        scope: '$7',
        campaign: '$8::uuid',
        agent: '$9::uuid',
        source: '$5::text',
        purpose: '$6::text',
        reason: '$3::text',
        effectiveFrom: 'clock.effective_from',
        expiresAt: '$11::timestamptz',
      })}
    ), marked AS (
      UPDATE teams SET has_limited_do_not_call = true
      WHERE id = $1 AND NOT has_limited_do_not_call AND EXISTS (SELECT FROM added)
    )
    SELECT phone_number FROM added`,
};

/**
 * SQL: the entries of a scope that a number has, `l` and `d`. `$1` team, `$2` all forms of a number, `$3` scope, `$4`
 * campaign or null, `$5` agent or null. The entries of the team's scope are those without a limit and those for a purpose
 * or a time.
 */
const LIMITED_OF_SCOPE = `${limitedEntries('$2::text[]')}
      WHERE l.scope = $3::text
        AND l.campaign_id IS NOT DISTINCT FROM $4::uuid AND l.agent_id IS NOT DISTINCT FROM $5::uuid`;
const UNLIMITED_OF_SCOPE = `${unlimitedEntries('$2::text[]')}
      WHERE $3::text = 'team'`;

/** Returns a row for each entry. Parameters as of {@link REMOVE_FROM_DO_NOT_CALL}, without the source. */
export const FIND_ON_DO_NOT_CALL: Statement = {
  name: 'find_on_do_not_call',
  text: `
    SELECT 1 FROM ${UNLIMITED_OF_SCOPE}
    UNION ALL
    SELECT 1 FROM ${LIMITED_OF_SCOPE}`,
};

/**
 * Removes the entries of a scope, and adds that to the ledger. The rows, which are never updated, are removed by their
 * `ctid`: a join by the primary key may begin with all entries of the team. Returns a row for each entry. $1 team, $2 all forms of
 * a number, $3 scope, $4 campaign or null, $5 agent or null, $6 source.
 */
export const REMOVE_FROM_DO_NOT_CALL: Statement = {
  name: 'remove_from_do_not_call',
  text: `
    WITH found_unlimited AS MATERIALIZED (
      SELECT d.row FROM ${UNLIMITED_OF_SCOPE}
    ), found_limited AS MATERIALIZED (
      SELECT l.row FROM ${LIMITED_OF_SCOPE}
    ), unlimited AS (
      DELETE FROM do_not_call d USING found_unlimited f
      WHERE d.ctid = f.row
      RETURNING d.phone_number
    ), limited AS (
      DELETE FROM limited_do_not_call l USING found_limited f
      WHERE l.ctid = f.row
      RETURNING l.phone_number, l.purpose
    ), removed AS (
      SELECT phone_number, NULL::text AS purpose FROM unlimited UNION ALL SELECT phone_number, purpose FROM limited
    ), noted AS (
      ${noting({
        from: 'removed',
        team: '$1::uuid',
        number: 'removed.phone_number',
        action: `'removed'`,
        scope: '$3::text',
        campaign: '$4::uuid',
        agent: '$5::uuid',
        source: '$6::text',
        purpose: 'removed.purpose',
      })}
    )
    SELECT 1 FROM removed`,
};

/**
 * Ends the consents of the numbers that {@link ADD_TO_DO_NOT_CALL} does not add, because the erased form is on the list.
 * $1 team, $2 numbers, $3 the erased form of each number, or null.
 */
export const END_CONSENTS_OF_ERASED: Statement = {
  name: 'end_consents_of_erased',
  text: `
    SELECT end_consents($1, ARRAY(
      SELECT number FROM unnest($2::text[], $3::text[]) AS asked (number, erased)
      WHERE EXISTS (SELECT FROM do_not_call d WHERE d.team_id = $1 AND d.phone_number = asked.erased)
    ), outdial_now())`,
};
