import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Functions that let each repair of the sweeper run in its own loop and in batches: look-ups of one carrier, old answers
 * counted as they are deleted, wake-ups that count against a call only if they were delivered, and every wake-up that
 * Redis should have. The functions that they replace stay for processes of the version before.
 */
export class RepairsInSets1764050000000 implements MigrationInterface {
  name = 'RepairsInSets1764050000000';

  async up(db: QueryRunner): Promise<void> {
    for (const { name, parameters, returns, body } of FUNCTIONS) {
      await db.query(
        `CREATE FUNCTION ${name}(${parameters}) RETURNS ${returns} LANGUAGE sql VOLATILE
           SECURITY DEFINER SET search_path = public, pg_temp AS $$ ${body} $$`,
      );
      await db.query(`REVOKE EXECUTE ON FUNCTION ${name} FROM PUBLIC`);
      await db.query(`GRANT EXECUTE ON FUNCTION ${name} TO outdial_app`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const { name } of FUNCTIONS) await db.query(`DROP FUNCTION ${name}`);
  }
}

/** Calls that have a wake-up: a call that waits for a concurrency slot has none until a slot is offered to it. */
const AWAKE = `r.status IN ('scheduled', 'queued') AND (r.waiting_since IS NULL OR r.line_offered_at IS NOT NULL)`;

const FUNCTIONS = [
  // Due calls whose wake-up is older than the grace, after the cursor of the run before. `backed_off`: it is older than
  // the grace doubled for each wake-up that was delivered in vain, up to 64 times. `overlong`: older than 360 times the grace.
  {
    name: 'find_unwoken',
    parameters: 'grace_ms float8, after_runs_at timestamptz, after_id uuid, batch integer',
    returns:
      'TABLE (id uuid, generation integer, team_id uuid, runs_at timestamptz, overdue boolean, backed_off boolean, overlong boolean)',
    body: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT r.id, r.generation, r.team_id, r.runs_at,
      NOT t.paused AND NOT s.paused AND r.expires_at > clock.now
        AND greatest(r.runs_at, r.woken_at) + grace_ms * interval '1 ms' <= clock.now,
      greatest(r.runs_at, r.woken_at) + grace_ms * interval '1 ms' * power(2, least(r.wakes, 6)) <= clock.now,
      greatest(r.runs_at, r.woken_at) + grace_ms * interval '1 ms' * 360 <= clock.now
    FROM call_requests r JOIN teams t ON t.id = r.team_id CROSS JOIN platform_settings s CROSS JOIN clock
    WHERE ${AWAKE}
      AND r.runs_at <= clock.now - grace_ms * interval '1 ms'
      AND (r.runs_at, r.id) > (after_runs_at, after_id)
    ORDER BY r.runs_at, r.id
    LIMIT batch`,
  },

  // Records that these calls are woken, each at the generation that was found, and whether its previous wake-up was
  // delivered in vain. Calls that changed since are left alone.
  {
    name: 'wake_again',
    parameters: 'ids uuid[], generations integer[], in_vain boolean[]',
    returns: 'TABLE (id uuid, generation integer, team_id uuid)',
    body: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    found AS (
      SELECT r.id, f.in_vain FROM call_requests r
      JOIN unnest(ids, generations, in_vain) AS f (id, generation, in_vain)
        ON f.id = r.id AND f.generation = r.generation
      WHERE r.status IN ('scheduled', 'queued')
      ORDER BY r.id
      FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE call_requests r SET
      woken_at = clock.now, wakes = CASE WHEN found.in_vain THEN r.wakes + 1 ELSE 0 END, generation = r.generation + 1
    FROM found, clock
    WHERE r.id = found.id
    RETURNING r.id, r.generation, r.team_id`,
  },

  // Every call that has a wake-up, by due time, and in how many milliseconds it is due; null for a wake-up that would have
  // no effect now, because the call is paused or expired.
  {
    name: 'find_wake_ups',
    parameters: 'after_runs_at timestamptz, after_id uuid, batch integer',
    returns: 'TABLE (id uuid, generation integer, team_id uuid, runs_at timestamptz, due_in_ms float8)',
    body: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT r.id, r.generation, r.team_id, r.runs_at,
      CASE WHEN r.expires_at > clock.now
        AND (NOT t.paused AND NOT s.paused OR greatest(r.runs_at, r.woken_at) > clock.now)
        THEN greatest(0, extract(epoch FROM greatest(r.runs_at, r.woken_at) - clock.now) * 1000)::float8 END
    FROM call_requests r JOIN teams t ON t.id = r.team_id CROSS JOIN platform_settings s CROSS JOIN clock
    WHERE ${AWAKE} AND (r.runs_at, r.id) > (after_runs_at, after_id)
    ORDER BY r.runs_at, r.id
    LIMIT batch`,
  },

  // One carrier's calls in dial_unknown that are due for a look-up; the pause doubles with each look-up, up to 1,024 times
  // the grace.
  {
    name: 'ask_unknown_of',
    parameters: 'carrier_name text, grace_ms float8, batch integer',
    returns:
      'TABLE (id uuid, phone_number text, caller_id text, claimed_at timestamptz, carrier_call_id text, ' +
      'carrier_settings jsonb, claimed_ms_ago float8)',
    body: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    due AS (
      SELECT r.id FROM call_requests r CROSS JOIN clock
      WHERE r.ended_at IS NULL AND r.status = 'dial_unknown' AND r.carrier = carrier_name
        AND r.woken_at + grace_ms * interval '1 ms' * power(2, least(r.wakes, 10)) <= clock.now
      ORDER BY r.woken_at
      LIMIT batch
      FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE call_requests r SET woken_at = clock.now, wakes = r.wakes + 1
    FROM due, clock, voice_agents a
    WHERE r.id = due.id AND a.team_id = r.team_id AND a.id = r.agent_id
    RETURNING r.id, r.phone_number, r.caller_id, r.claimed_at, r.carrier_call_id, a.carrier_settings,
      (extract(epoch FROM clock.now - r.claimed_at) * 1000)::float8`,
  },

  // A bounded batch of answers older than 24 hours, the oldest first. The instant is read once, so that the index by it
  // serves.
  {
    name: 'delete_old_answers',
    parameters: 'batch integer',
    returns: 'integer',
    body: `
    WITH old AS (
      SELECT i.team_id, i.key FROM idempotency_keys i
      WHERE i.created_at <= (SELECT outdial_now()) - interval '24 hours'
      ORDER BY i.created_at
      LIMIT batch
      FOR UPDATE SKIP LOCKED
    ), deleted AS (
      DELETE FROM idempotency_keys i USING old WHERE i.team_id = old.team_id AND i.key = old.key RETURNING 1
    )
    SELECT count(*)::integer FROM deleted`,
  },
];
