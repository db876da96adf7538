import { Client } from 'pg';
import { buildCaller } from '../support/call-builders.js';
import { PlayedCampaign, runDue } from '../campaigns/support/played-campaign.js';
import { Calling } from '../support/calling.js';
import { buildCampaign, buildTeam, buildVersion } from '../support/builders.js';

/* How many rows of enrollments are read, for any number of them. */

const calling = Calling.ofFile();

describe('the engine', () => {
  const WAITING = 20_000;
  const RUNS = 10;

  async function rowsRead(): Promise<number> {
    const [row] = await calling.db.query<{ rows: number }[]>(
      `SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS rows FROM pg_stat_user_tables WHERE relname = 'enrollments'`,
    );
    return row?.rows ?? 0;
  }

  test('a run of the engine without due enrollments reads none, however many wait or are paused', async () => {
    const worker = await calling.startIdleWorker();
    const caller = await buildCaller(calling.db);
    for (const waitingFor of ['retry', 'paused']) {
      const campaign = await PlayedCampaign.build(
        calling,
        caller,
        { steps: [{ key: 'first', after: 'P30D' }] },
        { status: waitingFor === 'paused' ? 'paused' : 'active' },
      );
      await calling.db.query(
        `WITH contact AS (
         INSERT INTO contacts (team_id, phone_number)
         SELECT $1, '+1' || $4 || 2000000 + n FROM generate_series(1, $5::integer) AS n RETURNING id
       )
       INSERT INTO enrollments (team_id, campaign_id, version_id, contact_id, waiting_for, look_at)
       SELECT $1, $2, $3, id, $6, now() + interval '1 day' FROM contact`,
        [
          caller.teamId,
          campaign.id,
          campaign.versionId,
          waitingFor === 'paused' ? '212' : '646',
          WAITING,
          waitingFor,
        ],
      );
    }
    await runDue(worker.app);
    const before = await rowsRead();
    for (let run = 0; run < RUNS; run += 1) expect(await runDue(worker.app)).toBe(0);
    await calling.db.query('SELECT pg_stat_force_next_flush()');
    // Connections tell what they have read when they are idle for a while, or end.
    await worker.app.close();
    expect((await rowsRead()) - before).toBeLessThan(100);
  });
});

describe('the operator’s list', () => {
  const ENROLLMENTS = 30_000;
  /** Enrollments of each rare kind, and of a page. */
  const RARE = 5;

  let db: Client;
  let list: string;

  beforeAll(async () => {
    const { id: team } = await buildTeam(calling.db);
    const { id: campaign, current_version_id: current } = await buildCampaign(calling.db, team);
    const { id: draft } = await buildVersion(calling.db, team, campaign);
    list = `/teams/${team}/campaigns/${campaign}/enrollments`;
    await calling.db.query(
      `WITH contact AS (
       INSERT INTO contacts (team_id, phone_number)
       SELECT $1, '+1646' || 2000000 + n FROM generate_series(1, $5::integer) AS n RETURNING id
     ), kinds AS (
       SELECT id, (row_number() OVER (ORDER BY id DESC) - 1) / $6::integer AS kind FROM contact
     )
     INSERT INTO enrollments (team_id, campaign_id, contact_id, version_id, status, waiting_for, look_at)
     SELECT $1, $2, id, CASE kind WHEN 0 THEN $4::uuid ELSE $3::uuid END,
       CASE kind WHEN 1 THEN 'failed' WHEN 2 THEN 'active' ELSE 'completed' END,
       CASE kind WHEN 2 THEN 'carrier' END, CASE kind WHEN 2 THEN now() END
     FROM kinds`,
      [team, campaign, current, draft, ENROLLMENTS, RARE],
    );
    await calling.db.query('ANALYZE');
    db = new Client({ connectionString: calling.world.config.databaseUrl });
    await db.connect();
  });
  afterAll(async () => {
    await db.end();
  });

  /** Rows of enrollments that all connections together have read. */
  async function rowsRead(): Promise<number> {
    // A connection reports what it has read when it ends.
    await db.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    const { rows } = await db.query<{ n: number }>(
      `SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS n FROM pg_stat_user_tables WHERE relname = 'enrollments'`,
    );
    return rows[0]?.n ?? NaN;
  }

  test.each([
    'status=failed',
    'status=active',
    'status=completed',
    'waitingFor=carrier',
    'version=draft',
    'version=current',
    'status=completed&version=draft',
    'status=active&waitingFor=carrier',
    '',
  ])('a page of a campaign’s enrollments reads few rows: ?%s', async (filter) => {
    const before = await rowsRead();
    const path = `${list}?${filter}&limit=${RARE}`.replace('?&', '?');
    const answer = await calling.operator('get', path);
    const { items, nextCursor } = answer.body as { items: object[]; nextCursor: string | null };
    expect([answer.status, items.length]).toEqual([200, RARE]);
    if (nextCursor !== null) await calling.operator('get', `${path}&cursor=${nextCursor}`).expect(200);
    expect((await rowsRead()) - before).toBeLessThan(200);
  });
});
