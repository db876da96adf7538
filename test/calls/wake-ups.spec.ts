import { type INestApplicationContext } from '@nestjs/common';
import { Calling, NEVER_MS } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, hoursOpeningIn } from '../support/call-builders.js';
import { moveClock, setClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';

// One worker without a sweeper: every dial here comes from its job in the queue.
const calling = Calling.ofFile();

beforeAll(async () => {
  await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
});
beforeEach(() => setClock(calling.db, '2026-03-02T12:00:00Z'));

const OPEN_FROM_15 = hoursOpeningIn(3, new Date('2026-03-02T12:00:00Z'));

/** What came of a wake-up, as the job says. */
async function outcomeOf(jobId: string): Promise<unknown> {
  const job = await eventually(
    () => calling.queue.getJob(jobId),
    (found) => found?.returnvalue !== undefined && found.returnvalue !== null,
  );
  return job?.returnvalue;
}

test('an immediate call is dialed and completed', async () => {
  const caller = await buildCaller(
    calling.db,
    {},
    { prompt_template: 'Call {{contact.name}} about {{topic}}{{gone}}' },
  );
  const phoneNumber = nextNumber();
  const id = await calling.accepted(caller, { phoneNumber, name: 'Ada', topic: 'engines' });
  const call = await calling.until(caller, id, 'completed');
  expect(call).toMatchObject({
    phoneNumber,
    callerId: caller.callerNumber,
    reason: null,
    prompt: 'Call Ada about engines',
    unknownPlaceholders: ['gone'],
  });
  expect(calling.dials(phoneNumber)).toMatchObject([{ callRequestId: id, from: caller.callerNumber }]);
  expect(await outcomeOf(`call-${id}-0`)).toBe('claimed');
});

test('a scheduled call is dialed at its due time by its delayed job', async () => {
  await setClock(calling.db, '2026-03-02T14:59:58.500Z');
  const caller = await buildCaller(calling.db, {}, OPEN_FROM_15);
  const phoneNumber = nextNumber();
  const answer = await calling.trigger(caller, { phoneNumber });
  expect(answer.body).toMatchObject({ rescheduled: true, runsAt: '2026-03-02T15:00:00.000Z' });
  const { callRequestId: id } = answer.body as { callRequestId: string };
  expect(calling.dials(phoneNumber)).toEqual([]);
  const call = await calling.until(caller, id, 'completed');
  const [, dialing] = call.history as { at: string; to: string }[];
  expect(dialing?.to).toBe('dialing');
  expect((dialing?.at ?? '') >= '2026-03-02T15:00:00.000Z').toBe(true);
  expect(await outcomeOf(`call-${id}-0`)).toBe('claimed');
});

test('a job that fires early is delayed again until its due time, by the clock of the rules', async () => {
  const caller = await buildCaller(calling.db, {}, OPEN_FROM_15);
  const phoneNumber = nextNumber();
  const id = await calling.accepted(caller, { phoneNumber });
  const jobId = `call-${id}-0`;
  const delayed = await calling.queue.getJob(jobId);
  const due = (delayed?.timestamp ?? 0) + (delayed?.delay ?? 0);
  await setClock(calling.db, '2026-03-02T13:00:00Z');
  await delayed?.promote();
  // From the moment of its promotion until it is put back, it is not delayed; its delay is then an hour less.
  const again = await eventually(
    () => calling.queue.getJob(jobId),
    (job) => (job?.delay ?? 0) > 0 && job?.delay !== delayed?.delay,
  );
  expect(await again?.getState()).toBe('delayed');
  const left = (again?.timestamp ?? 0) + (again?.delay ?? 0) - Date.now();
  expect(Math.abs(left - 2 * 3_600_000)).toBeLessThan(60_000);
  expect(Math.abs(due - Date.now() - 3 * 3_600_000)).toBeLessThan(60_000);
  expect(await calling.row(id)).toMatchObject({ status: 'scheduled', generation: 0 });
  expect(calling.dials(phoneNumber)).toEqual([]);
  // And it still wakes the call, once it may.
  await setClock(calling.db, '2026-03-02T15:00:00Z');
  await again?.promote();
  await calling.until(caller, id, 'completed');
  expect(calling.dials(phoneNumber)).toHaveLength(1);
});

test('jobs of unknown, outdated and ended calls end without effect and state the reason', async () => {
  const caller = await buildCaller(calling.db);
  const phoneNumber = nextNumber();
  const id = await calling.accepted(caller, { phoneNumber });
  await calling.until(caller, id, 'completed');
  const wake = async (callRequestId: string, generation: number) => {
    const jobId = `call-${callRequestId}-again-${generation}`;
    await calling.queue.add('dial', { callRequestId, generation }, { jobId });
    return outcomeOf(jobId);
  };
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect(await wake(unknown, 0)).toBe('ignored: not_found');
  expect(await wake(id, 0)).toBe('ignored: not_pending');
  const scheduled = await calling.accepted(await buildCaller(calling.db, {}, OPEN_FROM_15), {
    phoneNumber: nextNumber(),
  });
  expect(await wake(scheduled, 1)).toBe('ignored: old_generation');
  expect(calling.dials(phoneNumber)).toHaveLength(1);
});

test('a job that is delivered ten times dials once', async () => {
  const caller = await buildCaller(calling.db);
  const phoneNumber = nextNumber();
  await calling.queue.pause();
  const id = await calling.accepted(caller, { phoneNumber });
  const jobs = Array.from({ length: 10 }, (_, copy) => ({
    name: 'dial',
    data: { callRequestId: id, generation: 0 },
    opts: { jobId: `call-${id}-copy-${copy}` },
  }));
  await calling.queue.addBulk(jobs);
  await calling.queue.resume();
  const outcomes = await Promise.all(jobs.map(({ opts }) => outcomeOf(opts.jobId)));
  const all = [...outcomes, await outcomeOf(`call-${id}-0`)];
  expect(all.filter((outcome) => outcome === 'claimed')).toHaveLength(1);
  expect(all.filter((outcome) => outcome === 'ignored: not_pending')).toHaveLength(10);
  expect(calling.dials(phoneNumber)).toHaveLength(1);
});

test('of two calls scheduled for one number, the older is dialed at the opening and the other ends blocked', async () => {
  await setClock(calling.db, '2026-03-02T14:59:58.500Z');
  const caller = await buildCaller(calling.db, {}, OPEN_FROM_15);
  const phoneNumber = nextNumber();
  const older = await calling.accepted(caller, { phoneNumber });
  const newer = await calling.accepted(caller, { phoneNumber });
  await calling.until(caller, older, 'completed');
  const blocked = await calling.until(caller, newer, 'blocked');
  expect(['ALREADY_SCHEDULED', 'RECENTLY_CALLED']).toContain(blocked.reason);
  expect(calling.dials(phoneNumber)).toMatchObject([{ callRequestId: older }]);
});

describe('a worker that starts late', () => {
  let late: Calling;
  let worker: INestApplicationContext | undefined;

  beforeAll(async () => {
    late = await Calling.start();
  });
  afterAll(() => late.close());

  test('by two hours reschedules calls that are outside calling hours by then, and dials none of them', async () => {
    await setClock(late.db, '2026-03-02T15:30:00Z');
    const closing = await buildCaller(late.db, {}, OPEN_FROM_15);
    const open = await buildCaller(late.db);
    const [closed, alwaysOpen] = [Array.from({ length: 5 }, nextNumber), nextNumber()];
    const ids = await Promise.all(closed.map((phoneNumber) => late.accepted(closing, { phoneNumber })));
    const control = await late.accepted(open, { phoneNumber: alwaysOpen });
    await setClock(late.db, '2026-03-02T17:30:00Z');
    worker = await late.startWorker();
    // The control was accepted last and is dialed: the others' wake-ups have come, too.
    await late.until(open, control, 'completed');
    for (const id of ids) {
      const call = await late.until(closing, id, 'scheduled');
      expect(call).toMatchObject({
        runsAt: '2026-03-03T15:00:00.000Z',
        expiresAt: '2026-03-04T15:00:00.000Z',
      });
      expect((call.history as { cause: string }[]).map(({ cause }) => cause)).toEqual([
        'triggered',
        'outside_calling_hours',
      ]);
    }
    for (const number of closed) expect(late.dials(number)).toEqual([]);
    expect(late.dials()).toMatchObject([{ to: alwaysOpen }]);
  });

  test('dials these calls the next day', async () => {
    expect(worker).toBeDefined();
    await setClock(late.db, '2026-03-03T15:00:01Z');
    const all = await eventually(
      () => Promise.resolve(late.dials()),
      (dials) => dials.length === 6,
    );
    expect(new Set(all.map(({ callRequestId }) => callRequestId)).size).toBe(6);
    await moveClock(late.db, '0');
  });
});
