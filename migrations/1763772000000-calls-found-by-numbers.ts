import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Twice what a claim may take to reach its carrier, and clocks may differ. */
const AT_THE_SAME_TIME = `interval '1 minute'`;
/** No call lasts longer than a day. */
const LONGEST_CALL = `interval '25 hours'`;

/**
 * Teams may share a carrier's account and even a caller ID, so that a call which a carrier knows by numbers
 * and time alone may be another team's. Only Postgres sees both.
 */
export class CallsFoundByNumbers1763772000000 implements MigrationInterface {
  name = 'CallsFoundByNumbers1763772000000';

  async up(db: QueryRunner): Promise<void> {
    // Whether a carrier's call, found by numbers and time for a call of ours, is another's of ours, or may
    // be. Each half reads one small index: calls that are under way, and those that ended since.
    await db.query(
      `CREATE FUNCTION may_be_another_call(call_id uuid, found_id text) RETURNS boolean
         LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
         AS $$
      WITH own AS MATERIALIZED (
        SELECT id, carrier, phone_number, caller_id, claimed_at FROM call_requests WHERE id = call_id
      ), others AS (
        SELECT r.* FROM own JOIN call_requests r
          ON r.status IN ('dialing', 'in_progress', 'dial_unknown') AND r.id <> own.id
          AND r.claimed_at BETWEEN own.claimed_at - ${AT_THE_SAME_TIME} AND own.claimed_at + ${AT_THE_SAME_TIME}
        UNION ALL
        SELECT r.* FROM own JOIN call_requests r
          ON r.ended_at BETWEEN own.claimed_at - ${AT_THE_SAME_TIME} AND own.claimed_at + ${LONGEST_CALL}
          AND r.processed_at BETWEEN own.claimed_at - ${AT_THE_SAME_TIME} AND own.claimed_at + ${AT_THE_SAME_TIME}
      )
      SELECT EXISTS (
        SELECT FROM others o, own
        WHERE o.carrier = own.carrier AND (
          o.carrier_call_id = found_id
          OR o.carrier_call_id IS NULL AND o.phone_number = own.phone_number AND o.caller_id = own.caller_id
        )
      ) $$`,
    );
    await db.query('REVOKE EXECUTE ON FUNCTION may_be_another_call FROM PUBLIC');
    await db.query('GRANT EXECUTE ON FUNCTION may_be_another_call TO outdial_app');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION may_be_another_call');
  }
}
