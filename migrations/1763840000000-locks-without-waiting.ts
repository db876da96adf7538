import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Calls that are judged together, in one transaction: the locks of all of them without waiting for any, and
 * the teams that they are of. See docs/decisions/batch-concurrent-decisions.md.
 */
export class LocksWithoutWaiting1763840000000 implements MigrationInterface {
  name = 'LocksWithoutWaiting1763840000000';

  async up(db: QueryRunner): Promise<void> {
    for (const { name, parameters, returns, volatility, body } of FUNCTIONS) {
      await db.query(
        `CREATE FUNCTION ${name}(${parameters}) RETURNS ${returns} LANGUAGE plpgsql ${volatility}
           SECURITY DEFINER SET search_path = public, pg_temp
           AS $$ BEGIN ${body} END $$`,
      );
      await db.query(`REVOKE EXECUTE ON FUNCTION ${name} FROM PUBLIC`);
      await db.query(`GRANT EXECUTE ON FUNCTION ${name} TO outdial_app`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const { name } of FUNCTIONS) await db.query(`DROP FUNCTION IF EXISTS ${name}`);
  }
}

const LOCKED = 'TABLE (teams text, locks text[])';

/** Of a team `t` whose plan's limit is so near that `unseen` calls could pass it. */
const NEAR = `CASE WHEN t.monthly_call_limit IS NULL THEN false
      ELSE t.monthly_call_limit - (
        SELECT coalesce(sum(u.used), 0) FROM plan_usage u
        WHERE u.team_id = t.id AND u.month = date_trunc('month', outdial_now() AT TIME ZONE 'UTC')::date
      ) <= unseen END`;

/**
 * Each gives its rows `asked`: their place, whose call it is, its number, and whether it needs the team's
 * lock for itself.
 */
const FUNCTIONS = [
  // Nothing to lock for an unknown key: its request is refused.
  {
    name: 'lock_free_of_keys',
    parameters: 'hashes bytea[], numbers text[], unseen integer',
    returns: LOCKED,
    volatility: 'VOLATILE',
    body: lockFree(`
      SELECT n, t.id AS team, number, ${NEAR} AS counted
      FROM unnest(hashes, numbers) WITH ORDINALITY AS a (hash, number, n)
      LEFT JOIN api_keys k ON k.key_hash = a.hash AND k.revoked_at IS NULL
      LEFT JOIN teams t ON t.id = k.team_id`),
  },
  {
    name: 'lock_free_of_calls',
    parameters: 'ids uuid[], unseen integer',
    returns: LOCKED,
    volatility: 'VOLATILE',
    body: lockFree(`
      SELECT n, t.id AS team, r.phone_number AS number, t.max_concurrent_calls IS NOT NULL OR ${NEAR} AS counted
      FROM unnest(ids) WITH ORDINALITY AS a (id, n)
      LEFT JOIN call_requests r ON r.id = a.id
      LEFT JOIN teams t ON t.id = r.team_id`),
  },
  {
    name: 'teams_of_keys',
    parameters: 'hashes bytea[]',
    returns: 'text',
    volatility: 'STABLE',
    body: `RETURN (SELECT coalesce(string_agg(DISTINCT k.team_id::text, ','), '') FROM api_keys k
      WHERE k.key_hash = ANY (hashes) AND k.revoked_at IS NULL);`,
  },
  {
    name: 'teams_of_calls',
    parameters: 'ids uuid[]',
    returns: 'text',
    volatility: 'STABLE',
    body: `RETURN (SELECT coalesce(string_agg(DISTINCT r.team_id::text, ','), '') FROM call_requests r WHERE r.id = ANY (ids));`,
  },
];

/**
 * One row: the teams, as the policies read them, and for each requested item, in order, how the team's lock
 * is held: `shared` or `exclusive`; null if another transaction holds a lock. It is also null for a second
 * item of the same number, although Postgres would grant the lock again.
 */
function lockFree(asked: string): string {
  return `RETURN QUERY
    SELECT coalesce(string_agg(DISTINCT each.team::text, ','), ''), array_agg(each.lock ORDER BY each.n)
    FROM (
      SELECT asked.n, asked.team,
        CASE
          WHEN asked.team IS NULL THEN 'shared'
          WHEN row_number() OVER (PARTITION BY asked.team, asked.number ORDER BY asked.n) > 1 THEN NULL
          WHEN asked.counted AND row_number() OVER (PARTITION BY asked.team ORDER BY asked.n) > 1 THEN NULL
          WHEN NOT pg_try_advisory_xact_lock(number_lock_key(asked.team, asked.number)) THEN NULL
          WHEN asked.counted THEN
            CASE WHEN pg_try_advisory_xact_lock(team_lock_key(asked.team)) THEN 'exclusive' END
          WHEN pg_try_advisory_xact_lock_shared(team_lock_key(asked.team)) THEN 'shared'
        END AS lock
      FROM (${asked} OFFSET 0) asked
    ) each;`;
}
