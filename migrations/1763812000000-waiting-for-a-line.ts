import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Due calls that wait because their team has as many calls under way as it may, and the sweeper's questions
 * about a backlog. See docs/decisions/pacing-and-fairness.md.
 */
export class WaitingForALine1763812000000 implements MigrationInterface {
  name = 'WaitingForALine1763812000000';

  async up(db: QueryRunner): Promise<void> {
    for (const statement of UP) await db.query(statement);
    await db.query('DROP FUNCTION wake_overdue(float8, integer)');
    for (const { signature, returns, body } of [...FUNCTIONS, COUNT_OVERDUE(AWAKE)]) {
      await db.query(functionOf({ signature, returns, body }));
      await allow(db, signature);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const { signature } of FUNCTIONS) await db.query(`DROP FUNCTION ${nameOf(signature)}`);
    for (const old of [WAKE_OVERDUE_BEFORE, COUNT_OVERDUE('true')]) {
      await db.query(functionOf(old));
      await allow(db, old.signature);
    }
    for (const statement of DOWN) await db.query(statement);
  }
}

interface AcrossTeams {
  signature: string;
  returns: string;
  body: string;
}

const nameOf = (signature: string) => signature.replace(/\(.*/s, '');

// As in `functions-across-teams`: the owner's rights and a fixed search path.
const functionOf = ({ signature, returns, body }: AcrossTeams) => `
  CREATE OR REPLACE FUNCTION ${signature} RETURNS ${returns} LANGUAGE sql VOLATILE
    SECURITY DEFINER SET search_path = public, pg_temp AS $$ ${body} $$`;

async function allow(db: QueryRunner, signature: string): Promise<void> {
  await db.query(`REVOKE EXECUTE ON FUNCTION ${nameOf(signature)} FROM PUBLIC`);
  await db.query(`GRANT EXECUTE ON FUNCTION ${nameOf(signature)} TO outdial_app`);
}

const PENDING = `status IN ('scheduled', 'queued')`;
/**
 * Those that wait have no job, so nothing is overdue about them; once a line was offered to them they have
 * one.
 */
const AWAKE = '(waiting_since IS NULL OR line_offered_at IS NOT NULL)';

const UP = [
  `ALTER TABLE call_requests ADD COLUMN waiting_since timestamptz, ADD COLUMN line_offered_at timestamptz`,
  // Without the waiting ones, so that a hundred thousand of them are not passed over every second.
  `DROP INDEX ix_call_requests_due`,
  `CREATE INDEX ix_call_requests_due ON call_requests (runs_at, id) WHERE ${PENDING} AND ${AWAKE}`,
  `CREATE INDEX ix_call_requests_waiting ON call_requests (team_id, runs_at, id)
     WHERE ${PENDING} AND waiting_since IS NOT NULL`,
  `CREATE INDEX ix_call_requests_lines ON call_requests (team_id, claimed_at)
     WHERE status IN ('dialing', 'in_progress', 'dial_unknown')`,
];

const DOWN = [
  'DROP INDEX ix_call_requests_lines',
  'DROP INDEX ix_call_requests_waiting',
  'DROP INDEX ix_call_requests_due',
  `CREATE INDEX ix_call_requests_due ON call_requests (runs_at) WHERE ${PENDING}`,
  'ALTER TABLE call_requests DROP COLUMN waiting_since, DROP COLUMN line_offered_at',
];

const FUNCTIONS: AcrossTeams[] = [
  // Due calls whose wake-up is older than its grace, behind the place where the last look ended. The grace
  // doubles with each wake-up of a call, up to 64 times; `overlong` after 360 times the grace.
  {
    signature: 'find_overdue(grace_ms float8, after_runs_at timestamptz, after_id uuid, batch integer)',
    returns:
      'TABLE (id uuid, generation integer, team_id uuid, runs_at timestamptz, overdue boolean, overlong boolean)',
    body: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT r.id, r.generation, r.team_id, r.runs_at,
      NOT t.paused AND NOT s.paused AND r.expires_at > clock.now AND
        greatest(r.runs_at, r.woken_at) + grace_ms * interval '1 ms' * power(2, least(r.wakes, 6)) <= clock.now,
      greatest(r.runs_at, r.woken_at) + grace_ms * interval '1 ms' * 360 <= clock.now
    FROM call_requests r JOIN teams t ON t.id = r.team_id CROSS JOIN platform_settings s CROSS JOIN clock
    WHERE r.${PENDING} AND (r.waiting_since IS NULL OR r.line_offered_at IS NOT NULL)
      AND r.runs_at <= clock.now - grace_ms * interval '1 ms'
      AND (r.runs_at, r.id) > (after_runs_at, after_id)
    ORDER BY r.runs_at, r.id
    LIMIT batch`,
  },

  // Takes note of waking these calls, each at the generation that was found. What changed since is left
  // alone.
  {
    signature: 'wake_overdue(ids uuid[], generations integer[])',
    returns: 'TABLE (id uuid, generation integer, team_id uuid)',
    body: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    found AS (
      SELECT r.id FROM call_requests r
      JOIN unnest(ids, generations) AS f (id, generation) ON f.id = r.id AND f.generation = r.generation
      WHERE r.${PENDING}
      ORDER BY r.id
      FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE call_requests r SET woken_at = clock.now, wakes = r.wakes + 1, generation = r.generation + 1
    FROM found, clock
    WHERE r.id = found.id
    RETURNING r.id, r.generation, r.team_id`,
  },

  // Teams some of whose waiting calls could have a line. It steps from team to team, however many calls each
  // has.
  {
    signature: 'find_teams_with_free_lines(unknown_ms float8, batch integer)',
    returns: 'TABLE (team_id uuid)',
    body: `
    WITH RECURSIVE clock AS MATERIALIZED (SELECT outdial_now() AS now),
    waiting AS (
      (SELECT r.team_id FROM call_requests r
        WHERE r.${PENDING} AND r.waiting_since IS NOT NULL ORDER BY r.team_id LIMIT 1)
      UNION ALL
      SELECT (SELECT r.team_id FROM call_requests r
        WHERE r.${PENDING} AND r.waiting_since IS NOT NULL AND r.team_id > w.team_id ORDER BY r.team_id LIMIT 1)
      FROM waiting w WHERE w.team_id IS NOT NULL
    )
    SELECT t.id
    FROM waiting w JOIN teams t ON t.id = w.team_id CROSS JOIN platform_settings s CROSS JOIN clock
    CROSS JOIN LATERAL (
      SELECT t.max_concurrent_calls - count(*)::integer AS lines FROM call_requests b
      WHERE b.team_id = t.id AND b.status IN ('dialing', 'in_progress', 'dial_unknown')
        AND (b.status <> 'dial_unknown' OR b.claimed_at > clock.now - unknown_ms * interval '1 ms')
    ) free
    WHERE NOT t.paused AND NOT s.paused AND EXISTS (
      SELECT FROM (
        SELECT o.line_offered_at FROM call_requests o
        WHERE o.team_id = t.id AND o.${PENDING} AND o.waiting_since IS NOT NULL
        ORDER BY o.runs_at, o.id
        LIMIT greatest(0, coalesce(free.lines, 1000))
      ) oldest WHERE oldest.line_offered_at IS NULL)
    LIMIT batch`,
  },

  {
    signature: 'count_waiting_calls()',
    returns: 'float8',
    body: `SELECT count(*)::float8 FROM call_requests WHERE ${PENDING} AND waiting_since IS NOT NULL`,
  },
];

const COUNT_OVERDUE = (awake: string): AcrossTeams => ({
  signature: 'count_overdue_calls()',
  returns: 'TABLE (calls float8, seconds float8)',
  body: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT count(*)::float8, coalesce(extract(epoch FROM max(clock.now - r.runs_at)), 0)::float8
    FROM call_requests r JOIN teams t ON t.id = r.team_id CROSS JOIN platform_settings s CROSS JOIN clock
    WHERE r.${PENDING} AND ${awake} AND r.runs_at <= clock.now AND NOT t.paused AND NOT s.paused`,
});

const WAKE_OVERDUE_BEFORE: AcrossTeams = {
  signature: 'wake_overdue(grace_ms float8, batch integer)',
  returns: 'TABLE (id uuid, generation integer)',
  body: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    overdue AS (
      SELECT r.id
      FROM call_requests r JOIN teams t ON t.id = r.team_id CROSS JOIN platform_settings s CROSS JOIN clock
      WHERE r.status IN ('scheduled', 'queued') AND r.runs_at <= clock.now AND r.expires_at > clock.now
        AND NOT t.paused AND NOT s.paused
        AND greatest(r.runs_at, r.woken_at) + grace_ms * interval '1 ms' * power(2, least(r.wakes, 6)) <= clock.now
      ORDER BY r.runs_at
      LIMIT batch
      FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE call_requests r SET woken_at = clock.now, wakes = r.wakes + 1, generation = r.generation + 1
    FROM overdue, clock
    WHERE r.id = overdue.id
    RETURNING r.id, r.generation`,
};
