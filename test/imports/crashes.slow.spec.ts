import { createWorld, type World } from '../support/app.js';
import { buildCampaign } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { RealProcesses } from '../support/processes.js';
import { SlowClient } from '../support/slow-client.js';
import { CSV, csvOf, numberAt } from './import-client.js';

const ROWS = 30_000;
/** Processes are started four times. */
const TEST_MS = 300_000;

let world: World;
let processes: RealProcesses;
let caller: Caller;
let undoer: Caller;

beforeAll(async () => {
  world = await createWorld();
  processes = await RealProcesses.of(world);
  caller = await buildCaller(world.db);
});
afterAll(async () => {
  await processes.close();
  await world.close();
});

interface Progress {
  status: string;
  created: number;
  failed: number;
}

const progressOf = async (id: string) => {
  const [row] = await world.db.query<Progress[]>(
    'SELECT status, created, failed FROM imports WHERE id = $1',
    [id],
  );
  return row as Progress;
};

test(
  'workers that are killed on the way repeat no row and leave none out',
  async () => {
    const api = await processes.start('api');
    const campaign = await buildCampaign(world.db, caller.teamId);
    const headers = { ...bearer(caller.apiKey), 'Content-Type': CSV };
    const uploaded = await fetch(`${api.url}/api/imports?mode=create&campaignId=${campaign.id}`, {
      method: 'POST',
      headers,
      body: csvOf(ROWS),
    });
    expect(uploaded.status).toBe(202);
    const { importId } = (await uploaded.json()) as { importId: string };
    for (let kill = 1; kill <= 3; kill += 1) {
      const before = (await progressOf(importId)).created;
      const worker = await processes.start('worker');
      await eventually(
        () => progressOf(importId),
        ({ created }) => created > before,
        120_000,
      );
      worker.child.kill('SIGKILL');
      await worker.ended;
      expect((await progressOf(importId)).status).toBe('running');
    }
    await processes.start('worker');
    const ended = await eventually(
      () => progressOf(importId),
      ({ status }) => status !== 'running',
      120_000,
    );
    expect(ended).toEqual({ status: 'finished', created: ROWS, failed: 0 });
    const [stored] = await world.db.query<object[]>(
      `SELECT (SELECT count(*)::integer FROM contacts WHERE team_id = $1) AS contacts,
       (SELECT count(*)::integer FROM enrollments WHERE campaign_id = $2) AS enrollments`,
      [caller.teamId, campaign.id],
    );
    expect(stored).toEqual({ contacts: ROWS, enrollments: ROWS });
    const answer = await fetch(`${api.url}/api/imports/${importId}/results`, { headers });
    const results = (await answer.text()).trim().split('\n');
    const rows = results.map(
      (line) => JSON.parse(line) as { row: number; contactId: string; enrollmentId: string },
    );
    expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: ROWS }, (_, n) => n + 1));
    expect(new Set(rows.map(({ contactId }) => contactId)).size).toBe(ROWS);
    expect(new Set(rows.map(({ enrollmentId }) => enrollmentId)).size).toBe(ROWS);
  },
  TEST_MS,
);

test(
  'workers that are killed on the way list each number of a file of opt-outs, and report it once',
  async () => {
    const api = await processes.start('api');
    const { teamId, apiKey } = await buildCaller(world.db);
    const headers = { ...bearer(apiKey), 'Content-Type': CSV };
    const numbers = Array.from({ length: ROWS }, (_, n) => numberAt(n));
    const uploaded = await fetch(`${api.url}/api/imports?type=suppressions`, {
      method: 'POST',
      headers,
      body: numbers.join('\n'),
    });
    const { importId } = (await uploaded.json()) as { importId: string };
    for (let kill = 1; kill <= 3; kill += 1) {
      const before = (await progressOf(importId)).created;
      const worker = await processes.start('worker');
      await eventually(
        () => progressOf(importId),
        ({ created }) => created > before,
        120_000,
      );
      worker.child.kill('SIGKILL');
      await worker.ended;
      expect((await progressOf(importId)).status).toBe('running');
    }
    await processes.start('worker');
    const ended = await eventually(
      () => progressOf(importId),
      ({ status }) => status !== 'running',
      120_000,
    );
    expect(ended).toEqual({ status: 'finished', created: ROWS, failed: 0 });
    const [listed] = await world.db.query<object[]>(
      `SELECT (SELECT count(*)::integer FROM do_not_call WHERE team_id = $1) AS numbers,
         (SELECT count(*)::integer FROM events WHERE team_id = $1 AND type = 'contact.opted_out') AS events`,
      [teamId],
    );
    expect(listed).toEqual({ numbers: ROWS, events: ROWS });
  },
  TEST_MS,
);

/** Of the team: contacts that are not removed, and how many enrollments are in each state. */
async function stored(): Promise<unknown> {
  const [row] = await world.db.query<object[]>(
    `SELECT (SELECT json_agg(phone_number ORDER BY phone_number) FROM contacts WHERE team_id = $1 AND erased_at IS NULL) AS contacts,
       (SELECT json_object_agg(status, n) FROM (
         SELECT coalesce(end_reason, status) AS status, count(*)::integer AS n FROM enrollments WHERE team_id = $1 GROUP BY 1) q) AS enrollments`,
    [undoer.teamId],
  );
  return row;
}

test(
  'an undo whose workers are killed on the way ends as one that was not',
  async () => {
    const api = await processes.start('api');
    undoer = await buildCaller(world.db);
    const campaign = await buildCampaign(world.db, undoer.teamId);
    const headers = { ...bearer(undoer.apiKey), 'Content-Type': CSV };
    const post = (path: string, body?: BodyInit, type = CSV) =>
      fetch(`${api.url}${path}`, { method: 'POST', headers: { ...headers, 'Content-Type': type }, body });
    const uploaded = await post(`/api/imports?campaignId=${campaign.id}`, csvOf(ROWS));
    const { importId } = (await uploaded.json()) as { importId: string };
    const importing = await processes.start('worker');
    await eventually(
      () => progressOf(importId),
      ({ status }) => status === 'finished',
      120_000,
    );
    importing.child.kill('SIGKILL');
    await importing.ended;
    const listed = [5, 5_000, 9_999].map(numberAt);
    const json = 'application/json';
    await post('/api/do-not-call', JSON.stringify({ phoneNumbers: listed.slice(0, 1) }), json);
    for (const phoneNumber of listed.slice(1))
      await post('/api/campaigns/contact-enrollments', JSON.stringify({ phoneNumber, plan: 'gold' }), json);
    expect((await post(`/api/imports/${importId}/undo`)).status).toBe(202);
    const undone = async () => {
      const [row] = await world.db.query<{ status: string; removed: number }[]>(
        `SELECT status, (undo ->> 'contactsRemoved')::integer AS removed FROM imports WHERE id = $1`,
        [importId],
      );
      return row as { status: string; removed: number };
    };
    for (let kill = 1; kill <= 3; kill += 1) {
      const before = (await undone()).removed;
      const worker = await processes.start('worker');
      await eventually(undone, ({ removed }) => removed > before, 120_000);
      worker.child.kill('SIGKILL');
      await worker.ended;
      expect((await undone()).status).toBe('undoing');
    }
    await processes.start('worker');
    const ended = await eventually(undone, ({ status }) => status === 'undone', 120_000);
    expect(ended.removed).toBe(ROWS - 3);
    expect(await stored()).toEqual({
      contacts: listed,
      enrollments: { undone: ROWS - 1, suppressed: 1 },
    });
    const view = await fetch(`${api.url}/api/imports/${importId}`, { headers });
    expect(await view.json()).toMatchObject({
      undo: {
        contactsRemoved: ROWS - 3,
        enrollmentsEnded: ROWS - 1,
        contactsKept: { called: 0, opted_out: 1, enrolled: 0, changed: 2, imported: 0 },
        enrollmentsKept: { called: 0, ended: 1 },
      },
    });
  },
  TEST_MS,
);

test('an API that is killed during an upload leaves a failed import', async () => {
  const api = await processes.start('api');
  const client = await SlowClient.to(Number(new URL(api.url).port));
  const head = { ...bearer(caller.apiKey), 'Content-Type': CSV, 'Content-Length': csvOf(1_000).length };
  client.open('POST', '/api/imports', head);
  client.socket.write(csvOf(1_000).slice(0, -10));
  const staged = () =>
    world.db.query<{ id: string; status: string; rows: number }[]>(
      'SELECT id, status, rows FROM imports WHERE team_id = $1 ORDER BY created_at DESC LIMIT 1',
      [caller.teamId],
    );
  await eventually(staged, ([row]) => row?.status === 'staging' && row.rows > 0);
  api.child.kill('SIGKILL');
  await api.ended;
  // The team's next upload waits no longer than a silent one would, although the API could not close it.
  const [lease] = await world.db.query<{ seconds: number }[]>(
    `SELECT extract(epoch FROM leased_until - now())::float8 AS seconds FROM imports WHERE status = 'staging'`,
  );
  expect(lease!.seconds).toBeLessThanOrEqual(30);
  // The worker of the test before closes it then.
  await world.db.query(`UPDATE imports SET leased_until = now() WHERE status = 'staging'`);
  await eventually(staged, ([row]) => row?.status === 'failed', 60_000);
  client.close();
});
