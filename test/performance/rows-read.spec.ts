import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { TriggerService } from '../../src/calls/trigger/trigger.service.js';
import { hashApiKey } from '../../src/teams/api-key.js';
import { ANY_TIME } from '../../src/domain/call-window.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { type IdleWorker } from '../support/idle-worker.js';

// The first morning: all that there is came since statistics were taken, and nearly all of it is one team's.
const PENDING = 10_000;
const ENDED = 10_000;
const ASKED = 48;

/** The most that a request may read of one index or table, for any size of the team. */
const FEW = 25;

let calling: Calling;
let worker: IdleWorker;
let caller: Caller;
let db: Client;

beforeAll(async () => {
  calling = await Calling.start();
  caller = await buildCaller(calling.db);
  db = new Client({ connectionString: calling.world.config.databaseUrl });
  await db.connect();
  for (const table of ['call_requests', 'contacts']) {
    await db.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
    await db.query(`VACUUM ANALYZE ${table}`);
  }
  await db.query(
    `INSERT INTO contacts (team_id, phone_number)
     SELECT $1, '+1646' || 2000000 + n FROM generate_series(1, $2::integer) AS n`,
    [caller.teamId, PENDING + ENDED],
  );
  await db.query(
    `INSERT INTO call_requests (id, team_id, agent_id, contact_id, phone_number, status, accepted_at, runs_at, expires_at, woken_at,
       claimed_at, processed_at, caller_id, ended_at, history)
     SELECT gen_random_uuid(), team_id, $2, id, phone_number, CASE WHEN ended THEN 'completed' ELSE 'queued' END, at, at, at + interval '2 days', now(),
       CASE WHEN ended THEN at END, CASE WHEN ended THEN at END, CASE WHEN ended THEN $3 END, CASE WHEN ended THEN at END, '[]'
     FROM (SELECT *, row_number() OVER (ORDER BY phone_number) > $4 AS ended, now() - interval '20 hours' AS at
       FROM contacts WHERE team_id = $1) c`,
    [caller.teamId, caller.agentId, caller.callerNumber, PENDING],
  );
  worker = await calling.startIdleWorker();
});
afterAll(async () => {
  await db.end();
  await calling.close();
});

/** The rows and entries that all earlier statements have read, by index or table. */
async function read(): Promise<Map<string, number>> {
  // A connection reports its reads when it ends; this one reports them on request.
  await db.query('SELECT pg_stat_force_next_flush()');
  await db.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  // A look-up by id also meets what the call was before, until no transaction can see that any more, which
  // depends on other transactions. So of primary keys the rows count, not the entries; all rows that any
  // index led to count besides.
  const { rows } = await db.query<{ name: string; read: number }>(
    `SELECT indexrelname AS name, (CASE WHEN indexrelname LIKE 'pk%' THEN idx_tup_fetch ELSE idx_tup_read END)::integer AS read
     FROM pg_stat_user_indexes WHERE relname = ANY($1)
     UNION ALL SELECT relname, (seq_tup_read + idx_tup_fetch)::integer FROM pg_stat_user_tables WHERE relname = ANY($1)`,
    [['call_requests', 'contacts']],
  );
  return new Map(rows.map(({ name, read }) => [name, read]));
}

/** The indexes and tables of which a request reads more than a few entries, and how many. */
async function readMuchOf(each: (n: number) => Promise<unknown>): Promise<Record<string, number>> {
  const before = await read();
  await Promise.all(Array.from({ length: ASKED }, (_, n) => each(n)));
  const after = [...(await read())].map(
    ([name, rows]) => [name, (rows - (before.get(name) ?? 0)) / ASKED] as const,
  );
  return Object.fromEntries(after.filter(([, rows]) => rows > FEW));
}

const NO_KEY = { ok: true, value: null } as const;

test('a trigger reads few rows for any number of its team’s calls', async () => {
  const { agentId, apiKey, teamId } = caller;
  const much = await readMuchOf(() =>
    calling.api.get(TriggerService).trigger({
      agentId,
      keyHash: hashApiKey(apiKey),
      teamId,
      scopes: null,
      body: { ok: true, value: { phoneNumber: nextNumber() } },
      window: { ok: true, value: ANY_TIME },
      idempotencyKey: NO_KEY,
      trace: { requestId: randomUUID() },
    }),
  );
  expect(much).toEqual({});
});

test('a firing, its dial and its reports read few rows for any number of its team’s calls', async () => {
  const { rows: ids } = await db.query<{ id: string }>(
    `SELECT id FROM call_requests WHERE status = 'queued' ORDER BY id LIMIT $1`,
    [ASKED],
  );
  const much = await readMuchOf(async (n) => {
    const { id = '' } = ids[n] ?? {};
    expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
  });
  expect(much).toEqual({});
});
