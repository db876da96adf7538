import { join } from 'node:path';
import { Deployment } from '../../tools/builds/deployment.js';
import { type Servers, startServers } from '../../tools/builds/servers.js';
import { apiKeyOf, fill, SQL } from '../../tools/bench/data.js';
import { repositoryRoot } from '../../tools/services/paths.js';
import { buildIfNeeded } from '../../tools/stack/processes.js';
import { ADVANCE_IMPORT } from '../../src/imports/sql/work.sql.js';
import { eventually } from '../support/eventually.js';
import { CSV, csvOf } from './import-client.js';

/* Batches do not wait for the disk. What a crash of Postgres takes back is processed again. */

const ROWS = 10_000;
const CRASHES = 2;
const PATIENCE_MS = 120_000;

let servers: Servers;
let deployment: Deployment;

beforeAll(async () => {
  await buildIfNeeded();
  // Its own, because it crashes.
  servers = await startServers('import-crash');
  const build = { label: 'this', dist: join(repositoryRoot(), 'dist') };
  deployment = await Deployment.start(servers, build, 'imports', {
    API_RATE_LIMIT: '0',
    // After a crash, the worker looks again so soon.
    SWEEPER_INTERVAL_MS: '1000',
  });
  await fill(deployment.db, [{ firstTeam: 0, teams: 1, firstContact: 0, contacts: 0, calls: 0 }]);
}, PATIENCE_MS);
afterAll(async () => {
  await deployment.close();
  await servers.close();
});

interface Progress {
  id: string;
  status: string;
  created: number;
  enrolled: number;
  failed: number;
}

/** While Postgres recovers, it is as it was. */
let last: Progress;
async function progress(): Promise<Progress> {
  try {
    const { rows } = await deployment.db.query<Progress>(
      'SELECT id, status, created, enrolled, failed FROM imports',
    );
    return (last = rows[0] as Progress);
  } catch {
    return last;
  }
}

/**
 * A process of Postgres that is killed takes all others down, and what they have not written to the disk is
 * lost.
 */
async function crash(): Promise<void> {
  const { rows } = await servers.db.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname = 'imports' LIMIT 1`,
  );
  process.kill(rows[0]?.pid as number, 'SIGKILL');
}

test(
  'crashes of Postgres repeat no row and leave none out',
  async () => {
    const headers = { Authorization: `Bearer ${apiKeyOf(0)}`, 'Content-Type': CSV };
    const { rows } = await deployment.db.query<{ id: string }>(`SELECT ${SQL.campaign('0')} AS id`);
    const uploaded = await fetch(`${deployment.url}/api/imports?mode=create&campaignId=${rows[0]?.id}`, {
      method: 'POST',
      headers,
      body: csvOf(ROWS),
    });
    expect(uploaded.status).toBe(202);
    for (let at = 1; at <= CRASHES; at += 1) {
      const { created: before } = await progress();
      const { status } = await eventually(progress, ({ created }) => created > before, PATIENCE_MS);
      expect(status).toBe('running');
      await crash();
    }
    const ended = await eventually(progress, ({ status }) => status !== 'running', PATIENCE_MS);
    expect(ended).toMatchObject({ status: 'finished', created: ROWS, enrolled: ROWS, failed: 0 });
    const { rows: stored } = await deployment.db.query<object>(
      `SELECT (SELECT count(*)::integer FROM contacts) AS contacts, (SELECT count(*)::integer FROM enrollments) AS enrollments,
         (SELECT count(*)::integer FROM events WHERE type = 'enrollment.created') AS told,
         (SELECT count(*)::integer FROM events WHERE type = 'import.finished') AS finished,
         (SELECT count(*)::integer FROM import_chunks) AS chunks`,
    );
    expect(stored).toEqual([{ contacts: ROWS, enrollments: ROWS, told: ROWS, finished: 1, chunks: 0 }]);
    const answer = await fetch(`${deployment.url}/api/imports/${ended.id}/results`, { headers });
    const results = (await answer.text()).trim().split('\n');
    const of = results.map((line) => JSON.parse(line) as { row: number; enrollmentId: string });
    expect(of.map(({ row }) => row)).toEqual(Array.from({ length: ROWS }, (_, n) => n + 1));
    expect(new Set(of.map(({ enrollmentId }) => enrollmentId)).size).toBe(ROWS);
  },
  2 * PATIENCE_MS,
);

test('only the last batch of an import waits for the disk', async () => {
  const { rows } = await deployment.db.query<{ id: string; team: string }>(
    `INSERT INTO imports (team_id, status, mode, rows, created_at) VALUES (${SQL.team('0')}, 'running', 'upsert', 3, now())
     RETURNING id, team_id AS team`,
  );
  const client = await deployment.db.connect();
  const settingBehind = async (nextRow: number) => {
    await client.query('BEGIN');
    await client.query('SET LOCAL synchronous_commit = on');
    const counts = {
      created: 1,
      updated: 0,
      enrolled: 0,
      failed: 0,
      warned: 0,
      withoutTimezone: 0,
      countries: {},
    };
    const values = [rows[0]?.id, rows[0]?.team, nextRow, JSON.stringify(counts), '[]', 0];
    await client.query(ADVANCE_IMPORT.text, values);
    const shown = await client.query<{ synchronous_commit: string }>('SHOW synchronous_commit');
    await client.query('ROLLBACK');
    return shown.rows[0]?.synchronous_commit;
  };
  try {
    expect([await settingBehind(3), await settingBehind(4)]).toEqual(['off', 'on']);
  } finally {
    client.release();
  }
});
