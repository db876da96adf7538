import { type DataSource } from 'typeorm';
import { buildCall, type Row } from './builders.js';
import { type Caller } from './call-builders.js';

/** The contact with this number, made if there is none. */
export async function contactIdOf(db: DataSource, teamId: string, phoneNumber: string): Promise<string> {
  const [row] = await db.query<{ id: string }[]>(
    `INSERT INTO contacts (team_id, phone_number) VALUES ($1, $2)
     ON CONFLICT (team_id, phone_number) DO UPDATE SET updated_at = now() RETURNING id`,
    [teamId, phoneNumber],
  );
  return (row as { id: string }).id;
}

/** A call that was dialed `ago` (a Postgres interval) by the clock of the rules, and completed. */
export async function buildProcessedCall(
  db: DataSource,
  caller: Caller,
  phoneNumber: string,
  ago: string,
  row: Row = {},
): Promise<string> {
  const [clock] = await db.query<{ at: Date }[]>(
    `SELECT date_trunc('milliseconds', outdial_now()) - interval '${ago}' AS at`,
  );
  const at = (clock as { at: Date }).at;
  const { id } = await buildStoredCall(db, caller, phoneNumber, {
    status: 'completed',
    accepted_at: at,
    runs_at: at,
    woken_at: at,
    ended_at: at,
    claimed_at: at,
    processed_at: at,
    caller_id: caller.callerNumber,
    ...row,
  });
  return id;
}

/** A call request as a row, which no wake-up waits for. */
export async function buildStoredCall(
  db: DataSource,
  caller: Caller,
  phoneNumber: string,
  row: Row = {},
): Promise<{ id: string }> {
  const { teamId, agentId } = caller;
  const contactId = await contactIdOf(db, teamId, phoneNumber);
  const keys = { team_id: teamId, agent_id: agentId, contact_id: contactId, phone_number: phoneNumber };
  return buildCall(db, keys, row);
}

/** Copies the one call of the team until there are so many. */
export async function multiplyCalls(db: DataSource, { teamId }: Caller, count: number): Promise<void> {
  const [columns] = await db.query<{ names: string }[]>(
    `SELECT string_agg(column_name, ', ') AS names FROM information_schema.columns
     WHERE table_name = 'call_requests' AND column_name <> 'id'`,
  );
  await db.query(
    `INSERT INTO call_requests (id, ${columns?.names})
     SELECT gen_random_uuid(), ${columns?.names} FROM call_requests, generate_series(2, ${count}) WHERE team_id = $1`,
    [teamId],
  );
}

export const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

/** The columns of a call that ended so many days ago, a minute after it was accepted. */
export const endedAgo = (days: number, status = 'canceled'): Row => ({
  status,
  accepted_at: daysAgo(days),
  runs_at: daysAgo(days),
  woken_at: daysAgo(days),
  ended_at: new Date(daysAgo(days).getTime() + 60_000),
});
