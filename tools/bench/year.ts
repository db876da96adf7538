import { type Pool, type PoolClient } from 'pg';
import { fill, type Group, SQL } from './data.js';

/** A database with a year of calls that have ended, and pending ones. */
export interface Year {
  calls: number;
  pending: number;
  contacts: number;
  teams: number;
}

/** What a call that was accepted, dialed and completed leaves, from one that really was. */
export interface CallTemplate {
  history: unknown[];
  accepted: unknown;
  claimed: unknown;
  prompt: string;
  first_message: string;
  variables: Record<string, unknown>;
  carrier: string;
  carrier_call_id: string;
}

const DAY_MS = 86_400_000;
const DAYS = 365;
/** Calls of the last days go to contacts of their own, so that the others may be called now. */
const RECENT_DAYS = 1.5;
const SLICES = 12;

/** The contacts that may be called now: those that are neither pending nor called lately. */
export function callable(year: Year): Group {
  const { pending, contacts, teams } = year;
  const first = Math.ceil((pending + recentContacts(year)) / teams) * teams;
  return { firstTeam: 0, teams, firstContact: first, contacts: contacts - first, calls: 0 };
}

function recentContacts({ contacts }: Year): number {
  return Math.floor(contacts / 10);
}

/**
 * Replaces everything in the database by a year of calls, which takes about a minute for each million. The
 * year ends now. Its rows are like those of `template`; a contact has about as many calls as another, and a
 * month as another.
 *
 * @param db of a superuser. @param template as {@link findTemplate} gives it.
 */
export async function fillYear(db: Pool, year: Year, template: CallTemplate): Promise<void> {
  const { contacts, teams } = year;
  await fill(db, [{ firstTeam: 0, teams, firstContact: 0, contacts, calls: 0 }]);
  const client = await db.connect();
  try {
    await client.query('BEGIN');
    // Without foreign keys and triggers.
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query(`SET LOCAL maintenance_work_mem = '512MB'`);
    await client.query('TRUNCATE call_requests, call_details');
    const rebuild = await dropIndexes(client);
    await client.query(
      `SELECT make_call_month(now() - n * interval '1 month') FROM generate_series(0, 12) AS n`,
    );
    await insertYear(client, year, template);
    for (const statement of rebuild) await client.query(statement);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  await db.query('VACUUM (ANALYZE) call_requests');
  await db.query('ANALYZE call_details');
}

/** An index is built faster than it is kept. @returns the statements that build them again. */
async function dropIndexes(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; build: string }>(
    `SELECT CASE WHEN c.conname IS NULL THEN format('DROP INDEX %I', x.relname)
         ELSE format('ALTER TABLE call_requests DROP CONSTRAINT %I', c.conname) END AS drop,
       CASE WHEN c.conname IS NULL THEN pg_get_indexdef(x.oid)
         ELSE format('ALTER TABLE call_requests ADD CONSTRAINT %I %s', c.conname, pg_get_constraintdef(c.oid)) END AS build
     FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid
     WHERE i.indrelid = 'call_requests'::regclass`,
  );
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ build }) => build);
}

/**
 * SQL: the calls `n` from $1 to $2, with `ms` and `at` of their acceptance, `id`, `contact`, `team`, and
 * `kind`, 0 to 99, by which they ended. A year is the time from `since`, in milliseconds.
 */
function callsOf({ calls, contacts, pending, teams }: Year, since: number, recent: number): string {
  const firstRecent = Math.floor(calls * (1 - RECENT_DAYS / DAYS));
  return `(
    SELECT n, ms, to_timestamp(ms / 1000.0) AS at, contact, contact % ${teams} AS team, abs(hashint8(n)) % 100 AS kind,
      (lpad(to_hex(ms), 12, '0') || '7' || substr(hash, 1, 3) || '8' || substr(hash, 4, 15))::uuid AS id
    FROM (
      SELECT n, ${since} + n * ${DAYS * DAY_MS} / ${calls} AS ms, md5(n::text) AS hash,
        CASE WHEN n >= ${firstRecent} THEN ${pending} + n % ${recent} ELSE n * 7919 % ${contacts} END AS contact
      FROM generate_series($1::bigint, $2::bigint) AS n OFFSET 0) made
    OFFSET 0) c`;
}

const CLAIMED = 'c.kind < 97';
const STATUS = `CASE WHEN c.kind < 70 THEN 'completed' WHEN c.kind < 82 THEN 'no_answer' WHEN c.kind < 90 THEN 'voicemail'
  WHEN c.kind < 94 THEN 'busy' WHEN c.kind < 97 THEN 'failed' WHEN c.kind < 98 THEN 'canceled' WHEN c.kind < 99 THEN 'expired'
  ELSE 'blocked' END`;
const OF_TEAM = `${SQL.team('c.team')}`;
const COLUMNS = `id, team_id, agent_id, contact_id, phone_number, status, phase, accepted_at, runs_at, expires_at, woken_at`;

async function insertYear(client: PoolClient, year: Year, template: CallTemplate): Promise<void> {
  const since = Date.now() - DAYS * DAY_MS - 2 * 60_000;
  const calls = callsOf(year, since, recentContacts(year));
  const { accepted, claimed, prompt, first_message: said, variables } = template;
  for (let slice = 0; slice < SLICES; slice += 1) {
    const bounds = [slice, slice + 1].map((at) => Math.floor((year.calls * at) / SLICES)) as [number, number];
    const ofSlice = [bounds[0], bounds[1] - 1];
    await client.query(
      `INSERT INTO call_requests (${COLUMNS}, claimed_at, processed_at, answered_at, ended_at, duration_seconds, caller_id, carrier,
         carrier_call_id, history)
       SELECT id, ${OF_TEAM}, ${SQL.agent('c.team')}, md5('contact' || contact)::uuid, ${SQL.phone('contact')}, ${STATUS}, 2, at, at,
         at + interval '1 day', at, claim, claim, CASE WHEN kind < 70 THEN at + interval '12 s' END, at + interval '80 s',
         CASE WHEN kind < 70 THEN 68 END, CASE WHEN ${CLAIMED} THEN '+16502000000' END, CASE WHEN ${CLAIMED} THEN $4 END,
         CASE WHEN ${CLAIMED} THEN $5::text || n END, $3::jsonb
       FROM (SELECT *, CASE WHEN ${CLAIMED} THEN at + interval '1 s' END AS claim FROM ${calls}) c`,
      [...ofSlice, JSON.stringify(template.history), template.carrier, template.carrier_call_id.slice(0, -8)],
    );
    await client.query(
      `INSERT INTO call_details (id, generation, team_id, decision, prompt, first_message, variables)
       SELECT id, generation, ${OF_TEAM}, CASE generation WHEN -1 THEN $3::jsonb ELSE $4::jsonb END,
         CASE generation WHEN 0 THEN $5 END, CASE generation WHEN 0 THEN $6 END, CASE generation WHEN 0 THEN $7::jsonb END
       FROM ${calls} CROSS JOIN (VALUES (-1), (0)) AS g (generation)
       WHERE generation = -1 OR ${CLAIMED}`,
      [
        ...ofSlice,
        JSON.stringify(accepted),
        JSON.stringify(claimed),
        prompt,
        said,
        JSON.stringify(variables),
      ],
    );
    console.error(`${bounds[1]} of ${year.calls} calls`);
  }
  await insertPending(client, year, template);
}

/** They were accepted in the last thirty days and run in the next thirty, the first in six hours. */
async function insertPending(
  client: PoolClient,
  { pending, teams }: Year,
  like: CallTemplate,
): Promise<void> {
  await client.query(
    `INSERT INTO call_requests (${COLUMNS}, variables, history)
     SELECT new_call_id(at), ${OF_TEAM}, ${SQL.agent('c.team')}, md5('contact' || n)::uuid, ${SQL.phone('n')}, 'scheduled', -1, at,
       runs_at, runs_at + interval '1 day', at, $2, jsonb_build_array($3::jsonb -> 0)
     FROM (SELECT n, n % ${teams} AS team, now() - interval '1 minute' - n * interval '30 days' / $1::integer AS at,
       now() + interval '6 hours' + n * interval '30 days' / $1::integer AS runs_at FROM generate_series(0, $1::integer - 1) AS n) c`,
    [pending, JSON.stringify(like.variables), JSON.stringify(like.history)],
  );
}

/** What a call that was completed has left in this database. @throws where none was. */
export async function findTemplate(db: Pool): Promise<CallTemplate> {
  const { rows } = await db.query<CallTemplate>(
    `SELECT r.history, a.decision AS accepted, d.decision AS claimed, d.prompt, d.first_message, d.variables, r.carrier, r.carrier_call_id
     FROM call_requests r JOIN call_details a ON a.id = r.id AND a.generation = -1 JOIN call_details d ON d.id = r.id AND d.generation = 0
     WHERE r.status = 'completed' LIMIT 1`,
  );
  const [template] = rows;
  if (template === undefined) throw new Error('no call was completed');
  return template;
}
