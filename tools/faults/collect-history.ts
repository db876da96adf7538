import { pause } from '../services/run.js';
import { type EventHistory } from './event-history.js';
import { type CallRecord, type DoNotCallRecord, type History } from './history.js';
import { type CampaignView, collectCampaigns } from './collect-campaigns.js';
import { OPTING_OUT } from './tenants.js';
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
  SELECT id, team_id AS "teamId", status = 'completed' AND history->-1->>'cause' = 'carrier_report' AND phone_number LIKE $2 AS "reportedOptOut",
    agent_id AS "agentId", phone_number AS "phoneNumber", status,
    history->0->>'to' <> 'blocked' AS "wasAccepted",
    (extract(epoch FROM claimed_at) * 1000)::float8 AS "claimedAt",
    (extract(epoch FROM processed_at) * 1000)::float8 AS "processedAt", enrollment_id AS "enrollmentId",
    (extract(epoch FROM ended_at) * 1000)::float8 AS "endedAt",
    CASE WHEN ended_at IS NOT NULL THEN (extract(epoch FROM (history->-1->>'at')::timestamptz) * 1000)::float8 END AS "overAt",
    (SELECT (extract(epoch FROM min((entry->>'at')::timestamptz)) * 1000)::float8
      FROM jsonb_array_elements(history) AS entry WHERE entry->>'to' = ANY($1)) AS "activeUntil"
  FROM call_requests`;

// The commit's own instant, by the clock of the server that also gives the claim's. Nothing is added once
// that clock was moved.
const DO_NOT_CALL = `
  SELECT team_id AS "teamId", phone_number AS "phoneNumber",
    (extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000)::float8 AS "committedAt"
  FROM do_not_call`;

/** Everything that is known of the run up to now. */
export async function collectHistory(world: World, view?: CampaignView): Promise<History> {
  // What was answered and dialed by then is in the rows read after it.
  const optOuts = [...world.results.optOuts];
  const { history: webhooks } = world.webhooks;
  const read = [...world.events.events];
  const dials = await world.dials();
  const calls = await world.db.query<CallRecord>(CALLS, [
    SETTLED,
    world.results.areReported ? OPTING_OUT : '',
  ]);
  const doNotCall = await world.db.query<DoNotCallRecord>(DO_NOT_CALL);
  return {
    triggers: world.client.triggers,
    calls: calls.rows,
    dials,
    doNotCall: doNotCall.rows,
    optOuts,
    limits: new Map(world.teams.map(({ teamId, limits }) => [teamId, limits])),
    openings: new Map(
      world.tenants.flatMap(({ agentId, openings }) => (openings ? [[agentId, openings]] : [])),
    ),
    packHours: new Map(world.packTeams.map((teamId) => [teamId, world.packHours])),
    campaigns: await collectCampaigns(world, view),
    events: { read, stored: view?.isOver ? await storedEvents(world) : null },
    webhooks,
    late: world.liveness.late,
    crashes: world.nodes.flatMap(({ name, program }) => program.crashes.map((end) => ({ name, end }))),
  };
}

/** The feeds were read to their ends before. */
async function storedEvents(world: World): Promise<EventHistory['stored']> {
  const { rows } = await world.db.query<{ teamId: string; sequence: number }>(
    `SELECT b.team_id AS "teamId", (b.last - cardinality(b.positions) + u.n)::float8 AS sequence
     FROM event_batches b CROSS JOIN LATERAL unnest(b.positions) WITH ORDINALITY AS u (position, n)`,
  );
  return rows;
}

const UNDER_WAY = `
  SELECT (
      SELECT count(*) FROM call_requests
      WHERE status <> ALL($1) AND NOT (status = 'scheduled' AND runs_at > outdial_now() + interval '1 hour')
    ) + (
      SELECT count(*) FROM enrollments
      WHERE status IN ('active', 'paused') AND ($2 OR waiting_for IS NULL OR waiting_for = 'in_call'
        OR look_at < outdial_now() + interval '30 seconds' AND waiting_for NOT IN ('PLAN_LIMIT', 'hours'))
    ) AS open`;

/**
 * Waits until no call is under way and no enrollment is about to be dialed, leaving out those of a later
 * hour. `everything`: and no enrollment lives any more.
 *
 * @returns how many still are when the patience is over.
 */
export async function settle(world: World, patienceMs: number, what?: 'everything'): Promise<number> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const { rows } = await world.db.query<{ open: string }>(UNDER_WAY, [SETTLED, what === 'everything']);
    const open = Number(rows[0]?.open ?? 0);
    if (open === 0 || Date.now() > deadline) return open;
    await pause(200);
  }
}
