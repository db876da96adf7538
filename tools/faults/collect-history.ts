import { pause } from '../services/run.js';
import { type CallRecord, type DoNotCallRecord, type History } from './history.js';
import { type World } from './world.js';

const SETTLED = [
  'completed',
  'no_answer',
  'busy',
  'voicemail',
  'failed',
  'blocked',
  'expired',
  'canceled',
  'dial_unknown',
];

const CALLS = `
  SELECT id, team_id AS "teamId", agent_id AS "agentId", phone_number AS "phoneNumber", status,
    (extract(epoch FROM claimed_at) * 1000)::float8 AS "claimedAt",
    (extract(epoch FROM processed_at) * 1000)::float8 AS "processedAt"
  FROM call_requests`;

// The commit's own instant, by the clock of the server that also gives the claim's. Nothing is added once that clock
// was moved.
const DO_NOT_CALL = `
  SELECT team_id AS "teamId", phone_number AS "phoneNumber",
    (extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000)::float8 AS "committedAt"
  FROM do_not_call`;

/** Everything that is known of the run up to now. */
export async function collectHistory(world: World): Promise<History> {
  // The log is read first: what was dialed by then has its claim in the rows read after it.
  const dials = await world.dials();
  const calls = await world.db.query<CallRecord>(CALLS);
  const doNotCall = await world.db.query<DoNotCallRecord>(DO_NOT_CALL);
  return {
    triggers: world.client.triggers,
    calls: calls.rows,
    dials,
    doNotCall: doNotCall.rows,
    limits: new Map(world.tenants.map(({ teamId, limits }) => [teamId, limits])),
    openings: new Map(
      world.tenants.flatMap(({ agentId, openings }) => (openings ? [[agentId, openings]] : [])),
    ),
  };
}

const UNDER_WAY = `
  SELECT count(*)::integer AS open FROM call_requests
  WHERE status <> ALL($1) AND NOT (status = 'scheduled' AND runs_at > outdial_now() + interval '1 hour')`;

/**
 * Waits until no call is under way any more, leaving out those of a later hour.
 *
 * @returns how many still are when the patience is over.
 */
export async function settle(world: World, patienceMs: number): Promise<number> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const { rows } = await world.db.query<{ open: number }>(UNDER_WAY, [SETTLED]);
    const open = rows[0]?.open ?? 0;
    if (open === 0 || Date.now() > deadline) return open;
    await pause(200);
  }
}
