import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Calls that are judged together, in one transaction: the locks of all of them without waiting for any, and the teams
 * whose rows that transaction may see. See docs/decisions/judged-together.md.
 */
export class LocksWithoutWaiting1763840000000 implements MigrationInterface {
  name = 'LocksWithoutWaiting1763840000000';

  async up(db: QueryRunner): Promise<void> {
    for (const { name, parameters, asked } of FUNCTIONS) {
      await db.query(
        `CREATE FUNCTION ${name}(${parameters}) RETURNS TABLE (teams text, free boolean[]) LANGUAGE plpgsql VOLATILE
           SECURITY DEFINER SET search_path = public, pg_temp
           AS $$ ${bodyOf(asked)} $$`,
      );
      await db.query(`REVOKE EXECUTE ON FUNCTION ${name} FROM PUBLIC`);
      await db.query(`GRANT EXECUTE ON FUNCTION ${name} TO outdial_app`);
    }
    for (const [table, team] of Object.entries(TABLES)) {
      await db.query(`ALTER POLICY own_team ON ${table} USING (${team} = ANY ((SELECT ${TEAMS})::uuid[]))`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const [table, team] of Object.entries(TABLES)) {
      await db.query(`ALTER POLICY own_team ON ${table} USING (${team} = (SELECT ${TEAM}))`);
    }
    for (const { name } of FUNCTIONS) await db.query(`DROP FUNCTION ${name}`);
  }
}

const TEAM = `nullif(current_setting('outdial.team_id', true), '')::uuid`;
const TEAMS = `string_to_array(current_setting('outdial.team_id', true), ',')::uuid[]`;

/** Every table with the policy, and the column that says whose a row is. */
const TABLES = {
  teams: 'id',
  api_keys: 'team_id',
  phone_numbers: 'team_id',
  number_pools: 'team_id',
  number_pool_members: 'team_id',
  voice_agents: 'team_id',
  contacts: 'team_id',
  campaigns: 'team_id',
  campaign_versions: 'team_id',
  enrollments: 'team_id',
  do_not_call: 'team_id',
  whitelist: 'team_id',
  plan_usage: 'team_id',
  call_requests: 'team_id',
  idempotency_keys: 'team_id',
};

const FUNCTIONS = [
  // Nothing to lock for an unknown key: its request is refused.
  {
    name: 'lock_free_of_keys',
    parameters: 'hashes bytea[], numbers text[]',
    asked: `
      SELECT n, k.team_id AS team, number, true AS shared
      FROM unnest(hashes, numbers) WITH ORDINALITY AS a (hash, number, n)
      LEFT JOIN api_keys k ON k.key_hash = a.hash AND k.revoked_at IS NULL`,
  },
  // A team that counts lines needs its lock for itself.
  {
    name: 'lock_free_of_calls',
    parameters: 'ids uuid[]',
    asked: `
      SELECT n, r.team_id AS team, r.phone_number AS number, t.max_concurrent_calls IS NULL AS shared
      FROM unnest(ids) WITH ORDINALITY AS a (id, n)
      LEFT JOIN call_requests r ON r.id = a.id
      LEFT JOIN teams t ON t.id = r.team_id`,
  },
];

/**
 * One row: the teams, as the policies read them, and for each that was asked for, in order, whether its locks are held. A number
 * that was asked for before in the same transaction is not free, though Postgres would give its lock again.
 */
function bodyOf(asked: string): string {
  return `BEGIN RETURN QUERY
    SELECT coalesce(string_agg(DISTINCT each.team::text, ','), ''), array_agg(each.locked ORDER BY each.n)
    FROM (
      SELECT asked.n, asked.team,
        CASE
          WHEN asked.team IS NULL THEN true
          WHEN NOT asked.shared OR row_number() OVER (PARTITION BY asked.team, asked.number ORDER BY asked.n) > 1 THEN false
          WHEN pg_try_advisory_xact_lock(number_lock_key(asked.team, asked.number))
            THEN pg_try_advisory_xact_lock_shared(team_lock_key(asked.team))
          ELSE false
        END AS locked
      FROM (${asked}) asked
    ) each;
  END`;
}
