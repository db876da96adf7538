import supertest from 'supertest';
import { boardChange } from '../../src/operations/board/board-change.js';
import { basic, PAGES_LOGIN } from '../operations/operations-client.js';
import { Calling } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, hoursOpeningIn } from '../support/call-builders.js';
import { signedIn } from '../support/signed-in.js';

const BOARD = '/admin/queues/api/queues';

interface Row {
  action: string;
  actor_kind: string;
  actor_name: string | null;
  address: string | null;
  team_id: string | null;
  target_type: string;
  target_id: string | null;
  after: unknown;
}

const rowsOf = ({ db }: Calling) =>
  db.query<Row[]>(`SELECT * FROM audit_log WHERE action LIKE 'queue.%' ORDER BY id`);

async function withBoard(isReadOnly: boolean, work: (calling: Calling) => Promise<void>): Promise<void> {
  const calling = await Calling.start({ ...PAGES_LOGIN, bullBoardReadOnly: isReadOnly });
  try {
    await work(calling);
  } finally {
    await calling.close();
  }
}

test('each change of the board has a row with the operator, the queue and the job', async () => {
  await withBoard(false, async (calling) => {
    const caller = await buildCaller(calling.db, {}, hoursOpeningIn(3));
    const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
    const job = `call-${id}-0`;
    const { cookie, userId, email } = await signedIn(calling.db, { operator: true });
    const put = (path: string) =>
      supertest(calling.api.getHttpServer())
        .put(BOARD + path)
        .set({ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' });
    await put('/calls/pause').expect(200);
    await put('/calls/resume').expect(200);
    await put(`/calls/${job}/promote`).expect(204);
    await put('/calls/clean/completed').expect(200);
    await put(`/calls/${job}/clean`).expect(204);
    // Another site changes nothing, and has no row.
    await put('/calls/pause').set('Sec-Fetch-Site', 'cross-site').expect(403);
    const by = { actor_kind: 'user', actor_id: userId, actor_name: email, address: '127.0.0.1' };
    const queue = { ...by, team_id: null, target_type: 'queue', target_id: 'calls' };
    expect(await rowsOf(calling)).toMatchObject([
      { ...queue, action: 'queue.paused', after: {} },
      { ...queue, action: 'queue.resumed', after: {} },
      { ...queue, action: 'queue.promoted', after: { job } },
      { ...queue, action: 'queue.cleaned', after: { jobs: 'completed' } },
      { ...queue, action: 'queue.cleaned', after: { job } },
    ]);
  });
});

test('with the board’s password, the row names its user', async () => {
  await withBoard(false, async (calling) => {
    await supertest(calling.api.getHttpServer()).put(`${BOARD}/calls/pause`).set(basic()).expect(200);
    expect(await rowsOf(calling)).toMatchObject([
      { action: 'queue.paused', actor_kind: 'token', actor_name: PAGES_LOGIN.bullBoardUser },
    ]);
  });
});

test('a board that is read-only changes nothing, and writes nothing', async () => {
  await withBoard(true, async (calling) => {
    await supertest(calling.api.getHttpServer()).put(`${BOARD}/calls/pause`).set(basic()).expect(405);
    await supertest(calling.api.getHttpServer()).get(BOARD).set(basic()).expect(200);
    expect(await rowsOf(calling)).toEqual([]);
  });
});

test.each([
  ['PUT', '/api/queues/pause', 'queue.paused', null, {}],
  ['PUT', '/api/queues/calls/retry/failed', 'queue.retried', 'calls', { jobs: 'failed' }],
  ['PUT', '/api/queues/calls/call-1/retry', 'queue.retried', 'calls', { job: 'call-1' }],
  ['PUT', '/api/queues/calls/obliterate', 'queue.obliterated', 'calls', {}],
  ['POST', '/api/queues/calls/add', 'queue.job_added', 'calls', {}],
  ['PATCH', '/api/queues/calls/a%2Fb/update-data', 'queue.job_data_changed', 'calls', { job: 'a/b' }],
  [
    'PUT',
    '/api/queues/calls/job-schedulers/x/remove',
    'queue.changed',
    'calls',
    { request: 'PUT /api/queues/calls/job-schedulers/x/remove' },
  ],
  [
    'POST',
    '/api/metrics/history/purge',
    'queue.changed',
    null,
    { request: 'POST /api/metrics/history/purge' },
  ],
])('%s %s is told as %s', (method, path, action, queue, after) => {
  const told = boardChange(method, path);
  expect(told).toMatchObject({ action, target: { type: 'queue', id: queue } });
  expect(told.after).toMatchObject(after);
});

test.each(['/api/queues/calls/rate-limit/release', '/api/queues/calls/job-schedulers/daily'])(
  '%s names no job',
  (path) => {
    expect(boardChange('PUT', path)).toMatchObject({
      action: 'queue.changed',
      target: { type: 'queue', id: 'calls' },
    });
    expect(boardChange('PUT', path).after).toEqual({ request: `PUT ${path}` });
  },
);
