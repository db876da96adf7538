import { type Statement } from '../../database/transactions.js';
import { noting } from './ledger.sql.js';

/**
 * Adds numbers to the platform's own list, and the entries of the ledger. Returns each number that was not on the list.
 * The caller holds the platform's locks of the numbers. $1 numbers, $2 reason, $3 source.
 */
export const ADD_TO_PLATFORM: Statement = {
  name: 'add_to_platform_do_not_call',
  text: `
    WITH added AS (
      INSERT INTO platform_do_not_call (phone_number, reason) SELECT number, $2 FROM unnest($1::text[]) AS number
      ON CONFLICT (phone_number) DO NOTHING
      RETURNING phone_number
    ), noted AS (
      ${noting({
        from: 'added',
        team: 'NULL::uuid',
        number: 'added.phone_number',
        action: `'added'`,
        scope: `'platform'`,
        source: '$3::text',
        reason: '$2::text',
      })}
    )
    SELECT phone_number FROM added`,
};

/** Removes a number, and adds that to the ledger. Returns a row for each entry. $1 all forms of the number, $2 source. */
export const REMOVE_FROM_PLATFORM: Statement = {
  name: 'remove_from_platform_do_not_call',
  text: `
    WITH removed AS (
      DELETE FROM platform_do_not_call WHERE phone_number = ANY($1::text[]) RETURNING phone_number
    ), noted AS (
      ${noting({
        from: 'removed',
        team: 'NULL::uuid',
        number: 'removed.phone_number',
        action: `'removed'`,
        scope: `'platform'`,
        source: '$2::text',
      })}
    )
    SELECT phone_number FROM removed`,
};

/** A team, and those of some numbers to which it has contacts. */
export interface TeamOfNumbersRow {
  team_id: string;
  numbers: string[];
}

/**
 * The teams that may have pending calls or live enrollments of some numbers: those with contacts of the numbers, or
 * with pending calls to them. Each is found by the indexes of a team's numbers. $1 all forms of the numbers, $2 the team to begin after, or null.
 */
export const TEAMS_OF_NUMBERS: Statement = {
  name: 'teams_of_numbers',
  text: `
    SELECT t.id AS team_id, c.numbers FROM teams t
    CROSS JOIN LATERAL (
      SELECT array_agg(c.phone_number ORDER BY c.phone_number) AS numbers FROM (
        SELECT c.phone_number FROM contacts c WHERE c.team_id = t.id AND c.phone_number = ANY($1::text[])
        UNION
        SELECT o.phone_number FROM call_requests o
        WHERE o.team_id = t.id AND o.phone_number = ANY($1::text[]) AND o.phase <= 0) c) c
    WHERE c.numbers IS NOT NULL AND ($2::uuid IS NULL OR t.id > $2)
    ORDER BY t.id`,
};
