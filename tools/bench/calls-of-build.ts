import { type Pool } from 'pg';

/** How a build stores calls, because a comparison runs the same benchmark on an older build. */
export interface CallsOfBuild {
  /** SQL for the id of a new call. */
  newId: string;
  /**
   * SQL: whether calls are pending, and whether they are with their carriers, as the build's indexes have it.
   */
  pending: string;
  underWay: string;
  /** Tables that hold what belongs to calls, besides their own. */
  beside: string[];
}

const known = new WeakMap<Pool, Promise<CallsOfBuild>>();

export function callsOfBuild(db: Pool): Promise<CallsOfBuild> {
  const found = known.get(db) ?? read(db);
  known.set(db, found);
  return found;
}

async function read(db: Pool): Promise<CallsOfBuild> {
  const { rows } = await db.query<{ phase: boolean; ids: boolean; details: boolean }>(
    `SELECT to_regclass('ix_call_requests_numbers') IS NOT NULL AS phase,
       to_regproc('new_call_id') IS NOT NULL AS ids, to_regclass('call_details') IS NOT NULL AS details`,
  );
  const [{ phase, ids, details } = { phase: false, ids: false, details: false }] = rows;
  return {
    newId: ids ? 'new_call_id(outdial_now())' : 'gen_random_uuid()',
    pending: phase ? 'phase <= 0 AND generation >= 0' : `status IN ('scheduled', 'queued')`,
    underWay: phase
      ? 'phase = 1 AND generation >= 0'
      : `status IN ('dialing', 'in_progress', 'dial_unknown')`,
    beside: details ? ['call_details'] : [],
  };
}

/** Bytes on the disk of the calls and all that belongs to them, with their indexes, for each call. */
export async function bytesOfCall(db: Pool): Promise<number> {
  const { beside } = await callsOfBuild(db);
  const { rows } = await db.query<{ bytes: number }>(
    `SELECT sum(pg_total_relation_size(c.oid))::float8 / (SELECT count(*) FROM call_requests) AS bytes
     FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE c.relkind IN ('r', 'p') AND coalesce(i.inhparent, c.oid) = ANY($1::regclass[])`,
    [['call_requests', ...beside]],
  );
  return rows[0]?.bytes ?? NaN;
}

/** SQL: the calls of a measurement, not those that were there before. */
export const MEASURED = `accepted_at > now() - interval '1 day'`;
