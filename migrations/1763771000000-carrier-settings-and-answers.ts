import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What real carriers need: an agent's settings for its carrier, and what a carrier reports of a conversation.
 * The sweeper's look-up of an unknown call gives its carrier all that may help to find it.
 */
export class CarrierSettingsAndAnswers1763771000000 implements MigrationInterface {
  name = 'CarrierSettingsAndAnswers1763771000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `ALTER TABLE voice_agents ADD COLUMN carrier_settings jsonb NOT NULL DEFAULT '{}',
         ADD CONSTRAINT ck_voice_agents_carrier_settings CHECK (jsonb_typeof(carrier_settings) = 'object')`,
    );
    await db.query(
      'ALTER TABLE call_requests ADD COLUMN answered_at timestamptz, ADD COLUMN duration_seconds integer',
    );
    await replaceAskUnknown(db, WITH_SETTINGS);
  }

  async down(db: QueryRunner): Promise<void> {
    await replaceAskUnknown(db, BEFORE);
    await db.query('ALTER TABLE call_requests DROP COLUMN answered_at, DROP COLUMN duration_seconds');
    await db.query('ALTER TABLE voice_agents DROP COLUMN carrier_settings');
  }
}

interface AskUnknown {
  columns: string;
  from: string;
  returning: string;
}

const BEFORE: AskUnknown = {
  columns: 'id uuid, phone_number text, claimed_at timestamptz, carrier text, claimed_ms_ago float8',
  from: 'due, clock WHERE r.id = due.id',
  returning: 'r.id, r.phone_number, r.claimed_at, r.carrier',
};

const WITH_SETTINGS: AskUnknown = {
  columns:
    'id uuid, phone_number text, caller_id text, claimed_at timestamptz, carrier text, carrier_call_id text, ' +
    'carrier_settings jsonb, claimed_ms_ago float8',
  from: 'due, clock, voice_agents a WHERE r.id = due.id AND a.team_id = r.team_id AND a.id = r.agent_id',
  returning:
    'r.id, r.phone_number, r.caller_id, r.claimed_at, r.carrier, r.carrier_call_id, a.carrier_settings',
};

/** A function that gives other columns is another function, which begins without rights. */
async function replaceAskUnknown(db: QueryRunner, { columns, from, returning }: AskUnknown): Promise<void> {
  await db.query('DROP FUNCTION ask_unknown');
  await db.query(
    `CREATE FUNCTION ask_unknown(grace_ms float8, batch integer) RETURNS TABLE (${columns})
       LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
       AS $$
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
    FROM ${from}
    RETURNING ${returning},
      (extract(epoch FROM clock.now - r.claimed_at) * 1000)::float8 $$`,
  );
  await db.query('REVOKE EXECUTE ON FUNCTION ask_unknown FROM PUBLIC');
  await db.query('GRANT EXECUTE ON FUNCTION ask_unknown TO outdial_app');
}
