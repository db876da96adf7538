import { Calling, simulatorOf } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, hoursOpeningIn } from '../support/call-builders.js';
import { moveClock, stopClock } from '../support/clock.js';
import { clearRedisPrefix } from '../support/redis.js';
import { eventually } from '../support/eventually.js';

const GRACE_MS = 1_000;

// This worker takes no jobs and sweeps only when a test says so.
const calling = Calling.ofFile({ sweeperGraceMs: GRACE_MS });
const worker = calling.idleWorkerOfFile();

beforeEach(async () => {
  await moveClock(calling.db, '0');
  // What earlier tests left pending would be swept, too.
  await calling.db.query(
    `UPDATE call_requests SET status = 'canceled', ended_at = now() WHERE status IN ('scheduled', 'queued')`,
  );
});
afterEach(() => calling.setRules());

/** The clock stands still at so many milliseconds after `start`, however long a step takes. */
const standStill = (start: number, ms: number) => stopClock(calling.db, new Date(start + ms).toISOString());
const jobOf = (id: string, generation: number) => calling.queue.getJob(`call-${id}-${generation}`);

describe('a due call without a wake-up', () => {
  test('is woken after its grace, with a new generation, and not before', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const start = Date.now();
    await standStill(start, 0);
    const id = await calling.accepted(caller, { phoneNumber });
    await (await jobOf(id, 0))?.remove();
    expect(await worker.sweep()).toMatchObject({ woken: 0 });
    await standStill(start, GRACE_MS + 100);
    expect(await worker.sweep()).toMatchObject({ woken: 1 });
    expect(await calling.row(id)).toMatchObject({ status: 'queued', generation: 1, wakes: 0 });
    expect((await jobOf(id, 1))?.data).toMatchObject({ callRequestId: id, generation: 1 });
    expect(await worker.fire(id, 0)).toEqual({ kind: 'ignored', why: 'old_generation' });
    expect(await worker.fire(id, 1)).toEqual({ kind: 'claimed' });
    expect(calling.dials(phoneNumber)).toHaveLength(1);
  });

  test('is woken after twice the grace each further time', async () => {
    const caller = await buildCaller(calling.db);
    const start = Date.now();
    await standStill(start, 0);
    const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
    let elapsed = 0;
    for (const [wakes, grace] of [1, 2, 4, 8, 16, 32, 64, 64, 64].entries()) {
      await standStill(start, elapsed + (grace - 0.5) * GRACE_MS);
      expect(await worker.sweep()).toMatchObject({ woken: 0 });
      elapsed += (grace + 0.5) * GRACE_MS;
      await standStill(start, elapsed);
      expect(await worker.sweep()).toMatchObject({ woken: 1 });
      expect(await calling.row(id)).toMatchObject({ generation: wakes + 1, wakes: wakes + 1 });
    }
  });

  test('is not woken before its due time', async () => {
    const caller = await buildCaller(calling.db, {}, hoursOpeningIn(3));
    await calling.accepted(caller, { phoneNumber: nextNumber() });
    await moveClock(calling.db, '1 hour');
    expect(await worker.sweep()).toMatchObject({ woken: 0 });
    await moveClock(calling.db, '3 hours 10 seconds');
    expect(await worker.sweep()).toMatchObject({ woken: 1 });
  });

  test('is not woken during a pause, and is woken at once after it', async () => {
    const caller = await buildCaller(calling.db);
    const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
    await moveClock(calling.db, '1 hour');
    for (const path of [`/teams/${caller.teamId}`, '']) {
      await calling.operated('post', `${path}/pause`);
      expect(await worker.sweep()).toMatchObject({ woken: 0 });
      await calling.operated('post', `${path}/resume`);
    }
    expect(await calling.row(id)).toMatchObject({ generation: 0, wakes: 0 });
    expect(await worker.sweep()).toMatchObject({ woken: 1 });
  });

  test('is woken once, however many processes sweep at the same time', async () => {
    const other = await calling.startIdleWorker();
    const caller = await buildCaller(calling.db);
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => calling.accepted(caller, { phoneNumber: nextNumber() })),
    );
    await moveClock(calling.db, '1 minute');
    const sweeps = await Promise.all([worker, other, worker, other].map((sweeper) => sweeper.sweep()));
    expect(sweeps.reduce((sum, { woken }) => sum + woken, 0)).toBe(20);
    for (const id of ids) expect(await calling.row(id)).toMatchObject({ generation: 1, wakes: 1 });
  });
});

describe('a claimed call without a report', () => {
  /** A claimed call whose dialer has died: no process will record what the carrier said. */
  async function orphan(status: 'dialing' | 'in_progress') {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 1 });
    const phoneNumber = nextNumber();
    calling.setRules({ match: '*', outcome: 'silent', listed: false });
    const id = await calling.accepted(caller, { phoneNumber });
    await worker.fire(id);
    await calling.db.query('UPDATE call_requests SET status = $1 WHERE id = $2', [status, id]);
    return { caller, phoneNumber, id };
  }

  test('is unchanged while its worker may still record an outcome, then becomes dial_unknown', async () => {
    const { caller, phoneNumber, id } = await orphan('dialing');
    const patience = 5_000 + simulatorOf(worker.app).timeoutMs;
    await moveClock(calling.db, `${patience} milliseconds`);
    expect(await worker.sweep()).toMatchObject({ unknown: 0, woken: 0, expired: 0 });
    await moveClock(calling.db, `${patience + 6_000} milliseconds`);
    expect(await worker.sweep()).toMatchObject({ unknown: 1, woken: 0, expired: 0 });
    const row = await calling.row(id);
    expect(row).toMatchObject({ status: 'dial_unknown', ended_at: null });
    expect(row.processed_at).toEqual(row.claimed_at);
    expect(row.history.at(-1)).toMatchObject({ from: 'dialing', to: 'dial_unknown' });
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([1]);
    expect(await worker.sweep()).toMatchObject({ unknown: 0 });
    expect(await worker.fire(id, 0)).toEqual({ kind: 'ignored', why: 'not_pending' });
    expect(calling.dials(phoneNumber)).toHaveLength(1);
  });

  test('is unchanged for the longest duration of a conversation, then becomes dial_unknown', async () => {
    const { id } = await orphan('in_progress');
    const limit = calling.world.config.callTimeLimitSeconds;
    await moveClock(calling.db, `${limit - 10} seconds`);
    expect(await worker.sweep()).toMatchObject({ unknown: 0 });
    await moveClock(calling.db, `${limit + 10} seconds`);
    expect(await worker.sweep()).toMatchObject({ unknown: 1 });
    expect(await calling.row(id)).toMatchObject({ status: 'dial_unknown' });
  });
});

test('after Redis is flushed, each call is dialed once', async () => {
  const own = await Calling.start();
  try {
    const open = await buildCaller(own.db);
    const closed = await buildCaller(own.db, {}, hoursOpeningIn(3));
    const numbers = Array.from({ length: 10 }, nextNumber);
    const accepted = await Promise.all(
      numbers.map((phoneNumber, i) => own.accepted(i % 2 === 0 ? open : closed, { phoneNumber })),
    );
    await clearRedisPrefix(own.world.config.redisPrefix);
    expect(await own.queue.getJobCounts('waiting', 'delayed')).toEqual({ waiting: 0, delayed: 0 });
    await own.startWorker();
    await moveClock(own.db, '3 hours');
    await eventually(
      () => Promise.resolve(own.dials()),
      (dials) => dials.length >= accepted.length,
    );
    expect(
      own
        .dials()
        .map(({ to }) => to)
        .sort(),
    ).toEqual([...numbers].sort());
  } finally {
    await own.close();
  }
});
