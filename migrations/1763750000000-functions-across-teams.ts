import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Everything that the processes ask or do across teams, as functions that run with their owner's rights:
 * row-level security shows the processes themselves no more than one team. So each is narrow: it takes a
 * secret or an id and gives an id, takes a bounded batch, or counts. See
 * docs/decisions/row-level-security.md.
 */
export class FunctionsAcrossTeams1763750000000 implements MigrationInterface {
  name = 'FunctionsAcrossTeams1763750000000';

  async up(db: QueryRunner): Promise<void> {
    for (const { signature, returns, language, volatility, body } of FUNCTIONS) {
      // The search path is fixed, so that tables or operators of other schemas cannot replace those of the
      // function.
      await db.query(
        `CREATE FUNCTION ${signature} RETURNS ${returns} LANGUAGE ${language} ${volatility}
           SECURITY DEFINER SET search_path = public, pg_temp
           AS $$ ${body} $$`,
      );
      await db.query(`REVOKE EXECUTE ON FUNCTION ${nameOf(signature)} FROM PUBLIC`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const { signature } of FUNCTIONS) await db.query(`DROP FUNCTION ${nameOf(signature)}`);
  }
}

/** Unambiguous, because no name is overloaded. */
const nameOf = (signature: string) => signature.replace(/\(.*/s, '');

interface AcrossTeams {
  signature: string;
  returns: string;
  language: 'sql' | 'plpgsql';
  volatility: 'STABLE' | 'VOLATILE';
  body: string;
}

// plpgsql keeps its plans for the life of a connection: these two run in every transaction.
const lookUp = (signature: string, select: string): AcrossTeams => ({
  signature,
  returns: 'uuid',
  language: 'plpgsql',
  volatility: 'STABLE',
  body: `BEGIN RETURN (${select}); END`,
});

const FUNCTIONS: AcrossTeams[] = [
  lookUp(
    'team_of_key(hash bytea)',
    'SELECT k.team_id FROM api_keys k WHERE k.key_hash = hash AND k.revoked_at IS NULL',
  ),
  lookUp('team_of_call(call_id uuid)', 'SELECT r.team_id FROM call_requests r WHERE r.id = call_id'),

  // That an agent exists is all that the contract reveals to another team.
  {
    signature: 'agent_exists(agent_id uuid)',
    returns: 'boolean',
    language: 'sql',
    volatility: 'STABLE',
    body: 'SELECT EXISTS (SELECT FROM voice_agents a WHERE a.id = agent_id)',
  },

  // The sweeper's. Each takes a bounded batch, passes over rows that another process is at work on, and
  // leaves the rest for the next run.

  // Due calls whose wake-up seems lost, and takes note of waking them. The grace doubles with each wake-up of
  // a call, up to 64 times, so that a queue with a long backlog is not flooded.
  {
    signature: 'wake_overdue(grace_ms float8, batch integer)',
    returns: 'TABLE (id uuid, generation integer)',
    language: 'sql',
    volatility: 'VOLATILE',
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
  },

  // Pending calls past their expiry; each is then fired, which is what ends it.
  {
    signature: 'find_expired(batch integer)',
    returns: 'TABLE (id uuid, generation integer)',
    language: 'sql',
    volatility: 'VOLATILE',
    body: `
    SELECT r.id, r.generation FROM call_requests r
    WHERE r.status IN ('scheduled', 'queued') AND r.expires_at <= (SELECT outdial_now())
    ORDER BY r.expires_at
    LIMIT batch`,
  },

  // Claimed calls without a report for longer than a call can last: their outcome is unknown.
  {
    signature: 'mark_unknown(dialing_ms float8, in_progress_ms float8, batch integer)',
    returns: 'TABLE (id uuid)',
    language: 'sql',
    volatility: 'VOLATILE',
    body: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    silent AS (
      SELECT r.id FROM call_requests r CROSS JOIN clock
      WHERE r.status = 'dialing' AND r.claimed_at < clock.now - dialing_ms * interval '1 ms'
        OR r.status = 'in_progress' AND r.claimed_at < clock.now - in_progress_ms * interval '1 ms'
      ORDER BY r.claimed_at
      LIMIT batch
      FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE call_requests r SET
      status = 'dial_unknown', reason = 'NO_WORD',
      history = r.history || jsonb_build_object(
        'at', to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'from', r.status, 'to', 'dial_unknown', 'cause', 'no_word')
    FROM silent, clock
    WHERE r.id = silent.id
    RETURNING r.id`,
  },

  // Calls in dial_unknown whose carrier may be asked (again); the pause doubles each time, up to 1,024 times
  // the grace.
  {
    signature: 'ask_unknown(grace_ms float8, batch integer)',
    returns: `TABLE (id uuid, phone_number text, claimed_at timestamptz, carrier text, claimed_ms_ago float8)`,
    language: 'sql',
    volatility: 'VOLATILE',
    body: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    due AS (
      SELECT r.id FROM call_requests r CROSS JOIN clock
      WHERE r.status = 'dial_unknown'
        AND r.woken_at + grace_ms * interval '1 ms' * power(2, least(r.wakes, 10)) <= clock.now
      ORDER BY r.woken_at
      LIMIT batch
      FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE call_requests r SET woken_at = clock.now, wakes = r.wakes + 1
    FROM due, clock
    WHERE r.id = due.id
    RETURNING r.id, r.phone_number, r.claimed_at, r.carrier,
      (extract(epoch FROM clock.now - r.claimed_at) * 1000)::float8`,
  },

  {
    signature: 'forget_old_answers(batch integer)',
    returns: 'void',
    language: 'sql',
    volatility: 'VOLATILE',
    body: `
    DELETE FROM idempotency_keys WHERE (team_id, key) IN (
      SELECT i.team_id, i.key FROM idempotency_keys i
      WHERE i.created_at <= outdial_now() - interval '24 hours'
      LIMIT batch
      FOR UPDATE SKIP LOCKED)`,
  },

  // What the metrics tell. The conditions are those of partial indexes, so that the calls that have ended,
  // which are nearly all, are not looked at.

  // Due calls that no worker has claimed, by the rule of the sweeper: a pause is no delay.
  {
    signature: 'count_overdue_calls()',
    returns: 'TABLE (calls float8, seconds float8)',
    language: 'sql',
    volatility: 'VOLATILE',
    body: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT count(*)::float8, coalesce(extract(epoch FROM max(clock.now - r.runs_at)), 0)::float8
    FROM call_requests r JOIN teams t ON t.id = r.team_id CROSS JOIN platform_settings s CROSS JOIN clock
    WHERE r.status IN ('scheduled', 'queued') AND r.runs_at <= clock.now AND NOT t.paused AND NOT s.paused`,
  },

  // Calls that have not ended.
  {
    signature: 'count_open_calls()',
    returns: 'TABLE (status text, calls float8)',
    language: 'sql',
    volatility: 'STABLE',
    body: `
    SELECT r.status, count(*)::float8 FROM call_requests r
    WHERE r.status IN ('scheduled', 'queued') GROUP BY r.status
    UNION ALL
    SELECT r.status, count(*)::float8 FROM call_requests r
    WHERE r.status IN ('dialing', 'in_progress', 'dial_unknown') GROUP BY r.status`,
  },
];
