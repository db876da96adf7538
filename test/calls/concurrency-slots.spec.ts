import { Calling } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { moveClock, stopClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { buildStoredCall } from '../support/number-history.js';

// This worker takes no jobs and sweeps only when a test says so.
const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();

beforeEach(async () => {
  await moveClock(calling.db, '0');
  // What earlier tests left would be swept, too.
  await calling.db.query(
    `UPDATE call_requests SET status = 'failed', ended_at = now() WHERE ended_at IS NULL`,
  );
  // Calls that never end, and that the carrier does not list.
  calling.setRules({ match: '*', outcome: 'silent', listed: false });
});

const times = <T>(count: number, run: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

/** Due calls of which the first is the oldest. */
async function dueCalls(caller: Caller, count: number): Promise<string[]> {
  const start = Date.now() - 60_000;
  return times(count, async (index) => {
    const at = new Date(start + index * 1_000);
    const { id } = await buildStoredCall(calling.db, caller, nextNumber(), {
      accepted_at: at,
      runs_at: at,
      woken_at: at,
    });
    return id;
  });
}

async function fireAll(ids: string[]): Promise<string[]> {
  return Promise.all(ids.map(async (id) => (await worker.fire(id)).kind));
}

async function underWay({ teamId }: Caller): Promise<number> {
  const rows = await calling.rows(teamId);
  return rows.filter(({ status }) => ['dialing', 'in_progress', 'dial_unknown'].includes(status)).length;
}

const end = (id: string) =>
  calling.db.query(`UPDATE call_requests SET status = 'completed', ended_at = now() WHERE id = $1`, [id]);

const resolve = (caller: Caller, id: string) =>
  calling.operated('post', `/teams/${caller.teamId}/calls/${id}/resolve`, { outcome: 'completed' });

const jobOf = async (id: string) => calling.queue.getJob(`call-${id}-${(await calling.row(id)).generation}`);

test('40 parallel firings with 3 concurrency slots: three are dialed, the others stay pending', async () => {
  const caller = await buildCaller(calling.db, { max_concurrent_calls: 3 });
  const ids = await dueCalls(caller, 40);
  const kinds = await fireAll(ids);
  expect(kinds.filter((kind) => kind === 'claimed')).toHaveLength(3);
  expect(kinds.filter((kind) => kind === 'waiting')).toHaveLength(37);
  expect(await underWay(caller)).toBe(3);
  const rows = await calling.rows(caller.teamId);
  const waiting = rows.filter(({ status }) => status === 'queued');
  expect(waiting).toHaveLength(37);
  for (const row of waiting) expect(row).toMatchObject({ generation: 0, reason: null, claimed_at: null });
});

test('a limit that is set while calls fire applies to all later decisions', async () => {
  const caller = await buildCaller(calling.db);
  const ids = await dueCalls(caller, 30);
  const [first, second] = [ids.slice(0, 5), ids.slice(5)];
  await fireAll(first);
  await calling.operated('patch', `/teams/${caller.teamId}`, { maxConcurrentCalls: 6 });
  const kinds = await fireAll(second);
  expect(kinds.filter((kind) => kind === 'claimed')).toHaveLength(1);
  expect(await underWay(caller)).toBe(6);
});

test('the end of a call wakes the call that has waited longest, and no other', async () => {
  const caller = await buildCaller(calling.db, { max_concurrent_calls: 1 });
  const [held = '', ...waiting] = await dueCalls(caller, 4);
  expect(await worker.fire(held)).toEqual({ kind: 'claimed' });
  // In another order than that of their age.
  await fireAll([...waiting].reverse());
  const [oldest = '', ...younger] = waiting;
  expect(await jobOf(oldest)).toBeUndefined();
  // Accepted by the simulator, and never reported on.
  await eventually(
    () => calling.row(held),
    ({ status }) => status === 'in_progress',
  );
  await calling.db.query(`UPDATE call_requests SET status = 'dial_unknown' WHERE id = $1`, [held]);
  await resolve(caller, held);
  expect(await calling.row(oldest)).toMatchObject({ status: 'queued', generation: 1 });
  expect((await jobOf(oldest))?.data).toMatchObject({ callRequestId: oldest, generation: 1 });
  for (const id of younger) expect(await calling.row(id)).toMatchObject({ generation: 0 });
  // A younger call that fires first finds no free concurrency slot either.
  expect(await worker.fire(younger[0] ?? '')).toEqual({ kind: 'waiting' });
  expect(await worker.fire(oldest, 1)).toEqual({ kind: 'claimed' });
  expect(await calling.row(oldest)).toMatchObject({ waiting_since: null, line_offered_at: null });
});

test('a new call does not take a concurrency slot that was offered to a waiting call', async () => {
  const caller = await buildCaller(calling.db, { max_concurrent_calls: 1 });
  const [held = '', older = '', newer = ''] = await dueCalls(caller, 3);
  await worker.fire(held);
  expect(await worker.fire(older)).toEqual({ kind: 'waiting' });
  await end(held);
  expect(await worker.fire(newer)).toEqual({ kind: 'waiting' });
  expect(await worker.fire(older)).toEqual({ kind: 'claimed' });
});

test('the sweeper offers each concurrency slot that became free without a report to one call', async () => {
  // Between the sweeps no offer grows so old that it counts as lost.
  await stopClock(calling.db, new Date().toISOString());
  const caller = await buildCaller(calling.db, { max_concurrent_calls: 2 });
  const ids = await dueCalls(caller, 6);
  await fireAll(ids.slice(0, 2));
  await fireAll(ids.slice(2));
  expect(await worker.sweep()).toMatchObject({ woken: 0 });
  await end(ids[0] ?? '');
  await end(ids[1] ?? '');
  expect(await worker.sweep()).toMatchObject({ woken: 2 });
  expect(await worker.sweep()).toMatchObject({ woken: 0 });
  const woken = (await calling.rows(caller.teamId)).filter(({ generation }) => generation === 1);
  expect(woken.map(({ id }) => id)).toEqual(ids.slice(2, 4));
});

test('an offer whose job is lost is repeated; an offer to a canceled call goes to the next call', async () => {
  const caller = await buildCaller(calling.db, { max_concurrent_calls: 1 });
  const [held = '', offered = '', next = ''] = await dueCalls(caller, 3);
  await worker.fire(held);
  await fireAll([offered, next]);
  await end(held);
  await worker.sweep();
  await (await jobOf(offered))?.remove();
  await moveClock(calling.db, '1 minute');
  expect(await worker.sweep()).toMatchObject({ woken: 1 });
  expect(await calling.row(offered)).toMatchObject({ generation: 2 });
  await calling.cancel(caller, offered).expect(200);
  await worker.sweep();
  expect(await calling.row(next)).toMatchObject({ generation: 1 });
  expect(await worker.fire(next, 1)).toEqual({ kind: 'claimed' });
});

test('a call in dial_unknown occupies its concurrency slot for the longest time that a call may take', async () => {
  const caller = await buildCaller(calling.db, { max_concurrent_calls: 1 });
  const [unknown = '', waiting = ''] = await dueCalls(caller, 2);
  await worker.fire(unknown);
  await calling.db.query(`UPDATE call_requests SET status = 'dial_unknown' WHERE id = $1`, [unknown]);
  expect(await worker.fire(waiting)).toEqual({ kind: 'waiting' });
  const limit = calling.world.config.callTimeLimitSeconds;
  await moveClock(calling.db, `${limit - 60} seconds`);
  await worker.sweep();
  expect(await calling.row(waiting)).toMatchObject({ generation: 0 });
  await moveClock(calling.db, `${limit + 60} seconds`);
  await worker.sweep();
  expect(await calling.row(waiting)).toMatchObject({ generation: 1 });
});

test('waiting for a concurrency slot does not extend a call’s expiry', async () => {
  const caller = await buildCaller(calling.db, { max_concurrent_calls: 1 });
  const [held = '', waiting = ''] = await dueCalls(caller, 2);
  await fireAll([held]);
  await fireAll([waiting]);
  await moveClock(calling.db, '25 hours');
  expect(await worker.sweep()).toMatchObject({ expired: 1 });
  expect(await calling.row(waiting)).toMatchObject({ status: 'expired' });
});

test('raising or removing the limit wakes the waiting calls', async () => {
  // Between the sweeps no offer grows so old that it counts as lost.
  await stopClock(calling.db, new Date().toISOString());
  const caller = await buildCaller(calling.db, { max_concurrent_calls: 1 });
  const ids = await dueCalls(caller, 10);
  await fireAll(ids.slice(0, 1));
  await fireAll(ids.slice(1));
  await calling.operated('patch', `/teams/${caller.teamId}`, { maxConcurrentCalls: 3 });
  expect(await worker.sweep()).toMatchObject({ woken: 2 });
  await calling.operated('patch', `/teams/${caller.teamId}`, { maxConcurrentCalls: null });
  expect(await worker.sweep()).toMatchObject({ woken: 7 });
});

test('waiting calls are not overdue: the sweeper skips them, and the operator sees since when they wait', async () => {
  const caller = await buildCaller(calling.db, { max_concurrent_calls: 1 });
  const [held = '', waiting = ''] = await dueCalls(caller, 2);
  await fireAll([held]);
  await fireAll([waiting]);
  await moveClock(calling.db, '2 hours');
  for (let sweep = 0; sweep < 3; sweep += 1) expect(await worker.sweep()).toMatchObject({ woken: 0 });
  expect(await calling.row(waiting)).toMatchObject({ generation: 0, wakes: 0 });
  const path = `/teams/${caller.teamId}/calls/${waiting}`;
  const answer = await calling.operator('get', path).expect(200);
  const { waitingForLineSince } = answer.body as { waitingForLineSince: string };
  expect(Math.abs(Date.parse(waitingForLineSince) - Date.now())).toBeLessThan(60_000);
});

test('with a running worker, 40 calls of a team with 2 concurrency slots are all placed, never more than 2 at a time', async () => {
  const own = await Calling.start({ sweeperIntervalMs: 1_000, simulatorTalkMs: 20 });
  try {
    const caller = await buildCaller(own.db, { max_concurrent_calls: 2 });
    await own.startWorker();
    await own.startWorker();
    const ids = await times(40, () => own.accepted(caller, { phoneNumber: nextNumber() }));
    let most = 0;
    await eventually(
      async () => {
        const [row] = await own.db.query<{ busy: number; ended: number }[]>(
          `SELECT count(*) FILTER (WHERE status IN ('dialing', 'in_progress', 'dial_unknown'))::integer AS busy,
             count(*) FILTER (WHERE status = 'completed')::integer AS ended FROM call_requests WHERE team_id = $1`,
          [caller.teamId],
        );
        most = Math.max(most, row?.busy ?? 0);
        return row?.ended;
      },
      (ended) => ended === ids.length,
      25_000,
    );
    expect(most).toBe(2);
    // From the calls' own histories: how many lay between claim and end at each claim.
    const spans = (await own.rows(caller.teamId)).map((row) => [
      (row.claimed_at as Date).getTime(),
      (row.ended_at as Date).getTime(),
    ]);
    for (const [start = 0] of spans) {
      expect(spans.filter(([a = 0, b = 0]) => a <= start && b > start).length).toBeLessThanOrEqual(2);
    }
  } finally {
    await own.close();
  }
});
