import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The locks of a batch in which several requests may be of one team near its plan's limit, or about one number, or carry an
 * `Idempotency-Key`. The functions before these stay for processes of the build before.
 */
export class LocksOfSeveralRequestsOfATeam1764010000000 implements MigrationInterface {
  name = 'LocksOfSeveralRequestsOfATeam1764010000000';

  async up(db: QueryRunner): Promise<void> {
    for (const { name, parameters, returns, body } of FUNCTIONS) {
      await db.query(
        `CREATE FUNCTION ${name}(${parameters}) RETURNS ${returns} LANGUAGE plpgsql VOLATILE
           SECURITY DEFINER SET search_path = public, pg_temp
           AS $$ BEGIN ${body} END $$`,
      );
      await db.query(`REVOKE EXECUTE ON FUNCTION ${name} FROM PUBLIC`);
      await db.query(`GRANT EXECUTE ON FUNCTION ${name} TO outdial_app`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const { name } of FUNCTIONS) await db.query(`DROP FUNCTION ${name}`);
  }
}

/** Whether no more than `unseen` calls are left to the team `t` this month. */
const NEAR = `CASE WHEN t.monthly_call_limit IS NULL THEN false
      ELSE t.monthly_call_limit - (
        SELECT coalesce(sum(u.used), 0) FROM plan_usage u
        WHERE u.team_id = t.id AND u.month = date_trunc('month', outdial_now() AT TIME ZONE 'UTC')::date
      ) <= unseen END`;

/** SQL: `shared` or `exclusive`, how the team's lock is held; null where a lock is not free. One session may take a lock several times. */
const LOCK = `CASE
          WHEN asked.team IS NULL THEN 'shared'
          WHEN NOT pg_try_advisory_xact_lock(number_lock_key(asked.team, asked.number)) THEN NULL
          WHEN asked.counted THEN
            CASE WHEN pg_try_advisory_xact_lock(team_lock_key(asked.team)) THEN 'exclusive' END
          WHEN pg_try_advisory_xact_lock_shared(team_lock_key(asked.team)) THEN 'shared'
        END`;

const FUNCTIONS = [
  // An unknown API key has nothing to lock: its request is refused. `key_locks` has false where another transaction answers the key,
  // null where none was sent.
  {
    name: 'try_locks_of_requests',
    parameters: 'hashes bytea[], numbers text[], keys text[], unseen integer',
    returns: 'TABLE (teams text, locks text[], key_locks boolean[])',
    body: `RETURN QUERY
    SELECT coalesce(string_agg(DISTINCT each.team::text, ','), ''),
      array_agg(each.lock ORDER BY each.n), array_agg(each.key_lock ORDER BY each.n)
    FROM (
      SELECT asked.n, asked.team, ${LOCK} AS lock,
        CASE WHEN asked.team IS NOT NULL AND asked.key IS NOT NULL
          THEN pg_try_advisory_xact_lock(idempotency_lock_key(asked.team, asked.key)) END AS key_lock
      FROM (
        SELECT a.n, t.id AS team, a.number, a.key, ${NEAR} AS counted
        FROM unnest(hashes, numbers, keys) WITH ORDINALITY AS a (hash, number, key, n)
        LEFT JOIN api_keys k ON k.key_hash = a.hash AND k.revoked_at IS NULL
        LEFT JOIN teams t ON t.id = k.team_id
        OFFSET 0
      ) asked
    ) each;`,
  },
  // The second call to a number of a team gets null: what the first one comes to is not among its facts.
  {
    name: 'try_locks_of_calls',
    parameters: 'ids uuid[], unseen integer',
    returns: 'TABLE (teams text, locks text[])',
    body: `RETURN QUERY
    SELECT coalesce(string_agg(DISTINCT each.team::text, ','), ''), array_agg(each.lock ORDER BY each.n)
    FROM (
      SELECT asked.n, asked.team,
        CASE WHEN asked.team IS NULL OR row_number() OVER (PARTITION BY asked.team, asked.number ORDER BY asked.n) = 1
          THEN ${LOCK} END AS lock
      FROM (
        SELECT a.n, t.id AS team, r.phone_number AS number, t.max_concurrent_calls IS NOT NULL OR ${NEAR} AS counted
        FROM unnest(ids) WITH ORDINALITY AS a (id, n)
        LEFT JOIN call_requests r ON r.id = a.id
        LEFT JOIN teams t ON t.id = r.team_id
        OFFSET 0
      ) asked
    ) each;`,
  },
];
